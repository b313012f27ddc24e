import { type GameCode, tellGame } from "@/lib/fair/names";
import { say } from "@/lib/fair/told/said";
import { type Key, useT } from "@/lib/i18n/i18n";

/** How each game makes its outcome from the numbers that it draws. */
const RULES: readonly { game: GameCode; text: Key }[] = [
  { game: "dice", text: "fair.rule_dice" },
  { game: "limbo", text: "fair.rule_limbo" },
  { game: "mines", text: "fair.rule_mines" },
  { game: "plinko", text: "fair.rule_plinko" },
  { game: "hilo", text: "fair.rule_hilo" },
  { game: "wheel", text: "fair.rule_wheel" },
  { game: "keno", text: "fair.rule_keno" },
  { game: "scratch", text: "fair.rule_scratch" },
  { game: "reef", text: "fair.rule_reef" },
  { game: "windows", text: "fair.rule_windows" },
  { game: "sari", text: "fair.rule_sari" },
  { game: "fiesta", text: "fair.rule_fiesta" },
];

export function GameRules() {
  const t = useT();
  return (
    <dl className="grid gap-x-10 gap-y-5 md:grid-cols-2">
      {RULES.map(({ game, text }) => (
        <div key={game} className="grid content-start gap-1 border-t border-line pt-3">
          <dt className="font-semibold">{say(t, tellGame(game))}</dt>
          <dd className="max-w-[62ch] text-muted">{t(text)}</dd>
        </div>
      ))}
    </dl>
  );
}
