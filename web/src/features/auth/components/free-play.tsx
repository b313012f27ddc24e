import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { useFreePlay } from "../free-play";

/** The way in without an account, inside the login popup. */
export function FreePlay() {
  const t = useT();
  const { start, busy } = useFreePlay();
  return (
    <div className="grid grid-cols-1 gap-2 border-t border-line pt-5">
      <Button className="w-full" busy={busy} onClick={() => void start()}>
        {!busy && <Icon name="gift" className="size-5 shrink-0" />}
        {t("auth.free_play")}
      </Button>
      <p className="text-sm text-muted">{t("auth.free_play_hint")}</p>
    </div>
  );
}
