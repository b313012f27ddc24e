import { openLogin, openRegister } from "@/features/auth/popups";
import { useFreePlay } from "@/features/auth/free-play";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";

/** What a visitor sees in the place of the game: the ways in; a log-in and a demo lead back here. */
export function GameGate({ gameCode, name }: { gameCode: string; name: string }) {
  const t = useT();
  const { start, busy } = useFreePlay();
  const here = `/play/${gameCode}`;
  return (
    <div className="absolute inset-0 grid place-items-center overflow-hidden p-5">
      <img
        src={`/art/${gameCode}-wide.svg`}
        alt=""
        className="absolute inset-0 size-full object-cover opacity-60"
      />
      <div className="leaf-lg relative grid w-full max-w-md grid-cols-1 gap-5 border border-line-strong bg-surface p-6">
        <h2 className="display text-2xl">{name}</h2>
        <div className="grid grid-cols-1 gap-2">
          <Button variant="main" size="lg" onClick={() => openLogin(here)}>
            {t("game.login")}
          </Button>
          <Button onClick={() => openRegister(here)}>{t("game.join")}</Button>
          <p className="text-sm text-muted">{t("game.login_text")}</p>
        </div>
        <div className="grid grid-cols-1 gap-2 border-t border-line pt-5">
          <Button busy={busy} onClick={() => void start(here)}>
            {!busy && <Icon name="gift" className="size-5 shrink-0" />}
            {t("game.free")}
          </Button>
          <p className="text-sm text-muted">{t("game.free_text")}</p>
        </div>
      </div>
    </div>
  );
}
