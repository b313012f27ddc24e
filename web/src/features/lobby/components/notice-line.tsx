import { useT } from "@/lib/i18n/i18n";
import { SiteClock } from "./site-clock";

export function NoticeLine() {
  const t = useT();
  return (
    <p className="flex items-baseline gap-x-4 gap-y-1 border-y border-line py-2.5 text-sm max-sm:flex-wrap">
      <SiteClock />
      <span className="text-muted">{t("home.notice")}</span>
    </p>
  );
}
