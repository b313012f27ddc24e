import type { Key, Translate } from "@/lib/i18n/i18n";
import { formatMoney } from "@/lib/money/money";
import { shortNumber } from "@/lib/short";
import { timeText } from "../clock";
import type { Approval } from "./api";

export const states = ["open", "done", "refused", "withdrawn", "expired"] as const;

const stateNames: Readonly<Record<string, Key>> = {
  open: "approvals.state_open",
  done: "approvals.state_done",
  refused: "approvals.state_refused",
  withdrawn: "approvals.state_withdrawn",
  expired: "approvals.state_expired",
};

const kindNames: Readonly<Record<string, Key>> = {
  "wallet.correct": "approvals.kind_correct",
};

export const kinds = Object.keys(kindNames);

export function stateText(state: string, t: Translate): string {
  const name = stateNames[state];
  return name ? t(name) : state;
}

/** What kind of request it is; one that only a newer server knows is shown as it is written. */
export function kindText(kind: string, t: Translate): string {
  const name = kindNames[kind];
  return name ? t(name) : kind;
}

const correction: Readonly<Record<string, Key>> = {
  credit: "approvals.credit",
  debit: "approvals.debit",
};

/** What is asked for, as a sentence. */
export function sentenceOf({ kind, subject, about }: Approval, t: Translate, tag: string): string {
  const way = correction[about.way ?? ""];
  if (kind !== "wallet.correct" || !way || !about.amount) return kindText(kind, t);
  const { amount, currency, member } = about;
  const money = currency ? formatMoney(amount, currency, tag) : amount;
  return t(way, money, member?.username ?? shortNumber(subject));
}

/** How much time is left until a moment, in its two largest units; null once it is over. */
export function leftText(until: string, now: Date, t: Translate, tag: string): string | null {
  const minutes = Math.floor((new Date(until).getTime() - now.getTime()) / 60_000);
  if (minutes < 0) return null;
  const unit = (count: number, name: "day" | "hour" | "minute") =>
    new Intl.NumberFormat(tag, { style: "unit", unit: name, unitDisplay: "short" }).format(count);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return t("approvals.time_left", `${unit(days, "day")} ${unit(hours, "hour")}`);
  if (hours === 0) return t("approvals.time_left", unit(minutes, "minute"));
  return t("approvals.time_left", `${unit(hours, "hour")} ${unit(minutes % 60, "minute")}`);
}

const effects: Readonly<Record<string, readonly [credit: Key, debit: Key]>> = {
  open: ["approvals.credit_effect", "approvals.debit_effect"],
  done: ["approvals.credit_was", "approvals.debit_was"],
};

/** What a correction does or has done; what nobody agreed to has done nothing. */
export function effectText({ state, about, decidedAt }: Approval, t: Translate): string {
  const [credit, debit] = effects[state] ?? ["approvals.no_effect", "approvals.no_effect"];
  return t(about.way === "debit" ? debit : credit, timeText(decidedAt));
}
