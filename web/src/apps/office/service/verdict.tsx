import { type Key, useT } from "@/lib/i18n/i18n";
import { Icon, type IconName } from "@/ui/icon";
import type { Finding, State, Verdict } from "./api";

/** What each finding means, and what to do about it: a finding without sentence does not compile. */
const sentences: Readonly<Record<Finding, Key>> = {
  ledger_sound: "service.ledger_sound",
  ledger_unchecked: "service.ledger_unchecked",
  ledger_old: "service.ledger_old",
  ledger_broken: "service.ledger_broken",
  trail_whole: "service.trail_whole",
  trail_unchecked: "service.trail_unchecked",
  trail_old: "service.trail_old",
  trail_broken: "service.trail_broken",
  rounds_fair: "service.rounds_fair",
  rounds_unchecked: "service.rounds_unchecked",
  rounds_old: "service.rounds_old",
  rounds_broken: "service.rounds_broken",
  writer_well: "service.writer_well",
  writer_busy: "service.writer_busy",
  writer_failing: "service.writer_failing",
  push_well: "service.push_well",
  push_behind: "service.push_behind",
  push_full: "service.push_full",
  database_well: "service.database_well",
  database_slow: "service.database_slow",
  database_crowded: "service.database_crowded",
  database_held: "service.database_held",
  passwords_well: "service.passwords_well",
  passwords_busy: "service.passwords_busy",
  jobs_well: "service.jobs_well",
  jobs_late: "service.jobs_late",
  jobs_dead: "service.jobs_dead",
};

const words: Readonly<Record<State, Key>> = {
  well: "service.state_well",
  watch: "service.state_watch",
  ill: "service.state_ill",
};

const looks: Readonly<Record<State, { icon: IconName; color: string }>> = {
  well: { icon: "check", color: "text-win" },
  watch: { icon: "alert", color: "text-accent-text" },
  ill: { icon: "alert", color: "text-live-text" },
};

/** How something does: a mark and a word, the colour only repeats them. */
export function StateMark({ state }: { state: State }) {
  const t = useT();
  const { icon, color } = looks[state];
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm font-semibold ${color}`}>
      <Icon name={icon} className="size-5 shrink-0" />
      {t(words[state])}
    </span>
  );
}

/** What was found, as a sentence. */
export function VerdictText({ verdict: { finding } }: { verdict: Verdict }) {
  const t = useT();
  return <p className="text-sm text-muted">{t(sentences[finding])}</p>;
}
