import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { todayIn } from "@/lib/time";

/** Until when a promotion runs; nothing where no end is set. */
export function PromotionTime({ endsAt }: { endsAt: string | null | undefined }) {
  const t = useT();
  if (!endsAt) return null;
  return (
    <time dateTime={endsAt}>
      {t("promo.until", todayIn(getBoot().merchant.timeZone, new Date(endsAt)))}
    </time>
  );
}
