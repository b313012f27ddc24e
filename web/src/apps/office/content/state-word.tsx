import { type Key, useT } from "@/lib/i18n/i18n";
import type { ContentRow } from "./api";

const words: Readonly<Record<ContentRow["state"], Key>> = {
  live: "edit.state_live",
  scheduled: "edit.state_scheduled",
  over: "edit.state_over",
  hidden: "edit.state_hidden",
};

const looks: Readonly<Record<ContentRow["state"], string>> = {
  live: "text-win",
  scheduled: "text-accent-text",
  over: "text-muted",
  hidden: "text-muted",
};

/** Whether players see a piece now. */
export function StateWord({ state }: { state: ContentRow["state"] }) {
  const t = useT();
  return <span className={`font-semibold ${looks[state]}`}>{t(words[state])}</span>;
}
