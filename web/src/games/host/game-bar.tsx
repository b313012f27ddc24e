import { Link } from "@tanstack/react-router";

import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatPercent } from "@/lib/money/money";
import { Icon } from "@/ui/icon";
import { IconButton } from "@/ui/icon-button";

import { PromiseLine } from "./promise-line";

type GameBarProps = {
  name: string;
  returnPercent: string | undefined;
  /** The last round to check, when there is somebody whose rounds they are. */
  check: { lastRound: string | null } | null;
  sound: boolean;
  onSound: (on: boolean) => void;
  full: boolean;
  onFull: (() => void) | null;
};

/** Name and return of the game, and what the page keeps for it: sound, full screen, the check, the promise. */
export function GameBar(props: GameBarProps) {
  const { name, returnPercent, check, sound, onSound, full, onFull } = props;
  const t = useT();
  const tag = useLanguageTag();
  return (
    <header className="flex flex-wrap items-center gap-x-3 px-4 py-1 max-[22rem]:gap-x-1 max-[22rem]:px-2 lg:px-5 xl:py-1.5">
      <h1 className="display min-w-0 text-xl">{name}</h1>
      {returnPercent && (
        <p className="figures whitespace-nowrap text-muted">
          {t("game.return", formatPercent(returnPercent, tag))}
        </p>
      )}
      <div className="ml-auto flex items-center gap-1 max-[22rem]:gap-0 xl:order-1">
        <IconButton
          icon={sound ? "sound" : "mute"}
          label={t("game.sound")}
          aria-pressed={sound}
          onClick={() => onSound(!sound)}
        />
        {onFull && (
          <IconButton
            icon={full ? "close" : "full"}
            label={t(full ? "game.full_leave" : "game.full")}
            onClick={onFull}
          />
        )}
      </div>
      {check && (
        <>
          <CheckLink lastRound={check.lastRound} />
          <PromiseLine />
        </>
      )}
    </header>
  );
}

function CheckLink({ lastRound }: { lastRound: string | null }) {
  const t = useT();
  const look =
    "inline-flex min-h-11 min-w-11 xl:order-1 items-center justify-center gap-2 text-sm font-semibold underline-offset-4 hover:underline";
  const content = (
    <>
      <Icon name="verify" className="size-5 text-accent-text" />
      <span className="max-sm:sr-only">{t("game.check")}</span>
    </>
  );
  if (!lastRound) {
    return (
      <Link to="/verify" className={look} title={t("game.check_none")}>
        {content}
      </Link>
    );
  }
  return (
    <Link to="/verify/$roundId" params={{ roundId: lastRound }} className={look}>
      {content}
    </Link>
  );
}
