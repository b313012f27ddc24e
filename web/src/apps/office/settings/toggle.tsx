import { useT } from "@/lib/i18n/i18n";

type ToggleProps = { isOn: boolean; label: string; onTurn?: (() => void) | undefined };

/** A switch; a word says how it is, for those who may not turn it only the word. */
export function Toggle({ isOn, label, onTurn }: ToggleProps) {
  const t = useT();
  const word = (
    <span className={`w-9 text-right text-sm ${isOn ? "text-win" : "text-muted"}`}>
      {t(isOn ? "settings.on" : "settings.off")}
    </span>
  );
  if (!onTurn) return <span className="grid min-h-11 shrink-0 place-items-center">{word}</span>;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      onClick={onTurn}
      className="group flex min-h-11 shrink-0 items-center gap-2.5"
    >
      {word}
      <span className="flex h-6 w-11 items-center rounded-full border border-line-strong bg-canvas px-0.5 transition-colors group-aria-checked:border-win group-aria-checked:bg-win">
        <span className="size-4.5 rounded-full bg-muted transition-transform group-aria-checked:translate-x-5 group-aria-checked:bg-canvas" />
      </span>
    </button>
  );
}
