import { accountName } from "@/features/ledger/reasons";
import type { Key, Translate } from "@/lib/i18n/i18n";
import type { MemberLogin } from "./api";

const states: Readonly<Record<string, Key>> = {
  active: "members.active",
  frozen: "members.frozen",
  closed: "members.closed",
};
export const stateNames = Object.keys(states);

export function stateText(state: string, t: Translate): string {
  const key = states[state];
  return key ? t(key) : state;
}

/** The colour repeats what the word says. */
export function stateLook(state: string): string {
  return state === "active" ? "text-win" : "text-live-text";
}

/** The specification's numbers of types. */
export function kindText(type: number, t: Translate): string {
  if (type === 0) return t("members.kind_member");
  return t(type === 4 ? "members.kind_trial" : "members.kind_agent");
}

/** Accounts as staff call them: what the members' own page calls theirs is not theirs here. */
const own: Readonly<Record<string, Key>> = {
  main: "members.account_main",
  held: "members.account_held",
  bonus: "members.account_bonus",
  points: "members.account_points",
};

export function accountText(account: string, t: Translate): string {
  const known = own[account];
  if (known) return t(known);
  if (account.startsWith("vendor:")) {
    return t("members.account_vendor", account.slice("vendor:".length));
  }
  const { key, name, demo } = accountName(account);
  const text = t(key, name);
  return demo ? t("ledger.account_demo", text) : text;
}

const methods: Readonly<Record<string, Key>> = {
  register: "members.by_register",
  username: "members.by_username",
  freeplay: "members.by_freeplay",
  sms: "members.by_sms",
  recovery: "members.by_recovery",
  social: "members.by_social",
  phone: "members.by_phone",
};

const factors: Readonly<Record<string, Key>> = {
  app: "members.with_app",
  recovery: "members.with_recovery",
};

/** How somebody came in, the second factor included; what only a newer server knows is shown as it is written. */
export function wayText({ method, factor }: Pick<MemberLogin, "method" | "factor">, t: Translate) {
  const key = methods[method];
  const way = key ? t(key) : method;
  if (!factor) return way;
  const beside = factors[factor];
  return beside ? t(beside, way) : `${way} + ${factor}`;
}
