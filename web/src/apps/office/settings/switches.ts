import type { Key, Translate } from "@/lib/i18n/i18n";
import type { SwitchRow } from "./api";

/** What each switch is called, and what it does. */
export const switchWords: Readonly<Record<string, { title: Key; text: Key }>> = {
  LOGIN: { title: "settings.sw_login", text: "settings.sw_login_text" },
  COMM3: { title: "settings.sw_username_login", text: "settings.sw_username_login_text" },
  MOBILEVERCODELOGIN3: {
    title: "settings.sw_mobile_login",
    text: "settings.sw_mobile_login_text",
  },
  SOCIALOIDC3: { title: "settings.sw_oidc", text: "settings.sw_oidc_text" },
  SOCIALOAUTH3: { title: "settings.sw_oauth", text: "settings.sw_oauth_text" },
  PHONESERVICE3: { title: "settings.sw_phone_service", text: "settings.sw_phone_service_text" },
  PWDEXPIRY3: { title: "settings.sw_expiry", text: "settings.sw_expiry_text" },
  MOBILEFORGOTPASS3: {
    title: "settings.sw_mobile_recovery",
    text: "settings.sw_mobile_recovery_text",
  },
  UNIFORMRECOVERY3: {
    title: "settings.sw_uniform_recovery",
    text: "settings.sw_uniform_recovery_text",
  },
  REMEMBERPASS3: { title: "settings.sw_remember", text: "settings.sw_remember_text" },
  REGISTER: { title: "settings.sw_register", text: "settings.sw_register_text" },
  DIRECTREG3: { title: "settings.sw_direct", text: "settings.sw_direct_text" },
  USERNAMEREG3: {
    title: "settings.sw_username_register",
    text: "settings.sw_username_register_text",
  },
  MOBILENUMREG3: {
    title: "settings.sw_mobile_register",
    text: "settings.sw_mobile_register_text",
  },
  MOBILENUMPASSREG3: {
    title: "settings.sw_mobile_password",
    text: "settings.sw_mobile_password_text",
  },
  REGMOBVERF3: { title: "settings.sw_code", text: "settings.sw_code_text" },
  AGENT: { title: "settings.sw_agent", text: "settings.sw_agent_text" },
  AGENTPOLICY3: { title: "settings.sw_policy", text: "settings.sw_policy_text" },
  enableCt: { title: "settings.sw_contracts", text: "settings.sw_contracts_text" },
  salary: { title: "settings.sw_salary", text: "settings.sw_salary_text" },
  hourSalary: { title: "settings.sw_hour", text: "settings.sw_hour_text" },
  agentRealtimeSalary: { title: "settings.sw_realtime", text: "settings.sw_realtime_text" },
  GAMES: { title: "settings.sw_games", text: "settings.sw_games_text" },
  AUTOPLAY3: { title: "settings.sw_autoplay", text: "settings.sw_autoplay_text" },
  PROMO: { title: "settings.sw_promo", text: "settings.sw_promo_text" },
  REFERRAL3: { title: "settings.sw_referral", text: "settings.sw_referral_text" },
};

/** What a switch is called; one that only a newer server knows is shown as it is written. */
export function switchTitle(modId: string, t: Translate): string {
  const words = switchWords[modId];
  return words ? t(words.title) : modId;
}

export function switchText(modId: string, t: Translate): string {
  const words = switchWords[modId];
  return words ? t(words.text) : "";
}

/** Whether a switch and all above it are on. */
export function isInForce(switches: readonly SwitchRow[], modId: string): boolean {
  const row = switches.find((other) => other.modId === modId);
  if (!row?.enabled) return false;
  return !row.parent || isInForce(switches, row.parent);
}

/** The switches of the tree whose names or sentences have a text; the parents of found ones come along. */
export function findSwitches(
  switches: readonly SwitchRow[],
  text: string,
  t: Translate,
): readonly SwitchRow[] {
  const wanted = text.trim().toLowerCase();
  const fits = ({ modId }: SwitchRow) =>
    [modId, switchTitle(modId, t), switchText(modId, t)].some((word) =>
      word.toLowerCase().includes(wanted),
    );
  const found = switches.filter(fits);
  const isAbove = ({ modId }: SwitchRow) => found.some(({ parent }) => parent === modId);
  return switches.filter((row) => found.includes(row) || isAbove(row));
}

const loginWays = { COMM3: "auth.by_username", MOBILEVERCODELOGIN3: "auth.by_mobile" } as const;
const registerWays = { USERNAMEREG3: "auth.by_username", MOBILENUMREG3: "auth.by_mobile" } as const;

/** By what one can log in and register. */
export function openWays(switches: readonly SwitchRow[]) {
  const open = <K extends Key>(ways: Readonly<Record<string, K>>) =>
    Object.entries(ways).flatMap(([modId, way]) => (isInForce(switches, modId) ? [way] : []));
  const registers = isInForce(switches, "DIRECTREG3");
  return { login: open<Key>(loginWays), register: registers ? open<Key>(registerWays) : [] };
}

/** What turning a switch off would shut everybody out of, if it is the last way. */
export function shutsOut(
  switches: readonly SwitchRow[],
  modId: string,
): "login" | "register" | null {
  const after = switches.map((row) => (row.modId === modId ? { ...row, enabled: false } : row));
  const [before, then] = [openWays(switches), openWays(after)];
  if (before.login.length > 0 && then.login.length === 0) return "login";
  return before.register.length > 0 && then.register.length === 0 ? "register" : null;
}
