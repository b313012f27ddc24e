import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type AnyRouter, useNavigate } from "@tanstack/react-router";
import { clearSession, storeToken } from "@/lib/api/token";
import type { MemberInfo } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { type Translate, currentLang, t, useT } from "@/lib/i18n/i18n";
import { languageTag } from "@/lib/i18n/languages";
import { formatMoney } from "@/lib/money/money";
import { openPopup } from "@/lib/popup/popup";
import { clockText } from "@/lib/time";
import { toast } from "@/ui/toast";
import { type LoginAnswer, logout, memberQuery, openingBalance } from "./api";
import { speakLanguageOf } from "./member-language";
import { dropPending, keepPending } from "./pending";

/** The way somebody came in. */
export type EnterKind = "login" | "sms" | "social" | "recovery" | "register" | "trial";

export type EnterOptions = {
  /** Where to go; without it the page that the way in leads to. */
  next?: string | undefined;
  /** The password that was used, to see whether it has to be changed. */
  password?: string | undefined;
};

/** The password that staff and imports give; it may be used once, to set another. */
const weakPassword = "123456";

/** Whether the password must be changed before anything else: the server says so, by whatever way one came. */
export function mustChange(
  kind: EnterKind,
  password: string | undefined,
  { passwordExpired }: Pick<LoginAnswer, "passwordExpired">,
): boolean {
  return passwordExpired || (kind === "login" && password === weakPassword);
}

/** What a newcomer is told, by the way they came in. */
export function welcomeText(
  kind: EnterKind,
  member: MemberInfo,
  zone: string,
  t: Translate,
): string {
  if (kind === "trial") return t("auth.welcome_trial");
  if (!member.lastLoginAt) return t("auth.welcome_first", member.account);
  return t("auth.welcome_back", clockText(new Date(member.lastLoginAt), zone));
}

/** A new member may find a welcome credit; how much is the merchant's business. */
async function greetNewMember(member: MemberInfo, t: Translate): Promise<string> {
  const opening = await openingBalance().catch(() => null);
  if (!opening || opening.balance === "0") return t("auth.welcome_first", member.account);
  const credit = formatMoney(opening.balance, opening.currency, languageTag(currentLang()));
  return t("auth.welcome_new", member.account, credit);
}

/**
 * Marks a newcomer, who is told what others know already. Whoever else comes takes the mark away: a demo account is
 * nobody's first log-in, and who logs in from one in the same tab may have been here for years.
 */
export function noteFirstLogin(
  kind: EnterKind,
  { firstTimeLogin }: Pick<LoginAnswer, "firstTimeLogin">,
  storage: Pick<Storage, "setItem" | "removeItem">,
): void {
  if (firstTimeLogin && kind !== "trial") storage.setItem("firstLogin", "1");
  else storage.removeItem("firstLogin");
}

/** What a login works on. */
export type Site = { client: QueryClient; router: AnyRouter };

/** Where each way in leads, as far as the site has the page. */
function landing({ router }: Site, kind: EnterKind): string {
  const wanted =
    kind === "register" ? "/promotions" : location.pathname === "/agentHome" ? "/agentHome" : "/";
  return wanted in router.routesByPath ? wanted : "/";
}

/** Takes a fresh login in: token, member info, the page to go to, a word of welcome. */
export async function enter(
  site: Site,
  kind: EnterKind,
  view: LoginAnswer,
  { next, password }: EnterOptions = {},
): Promise<void> {
  const { client, router } = site;
  if (!view.token) {
    if (view.twoFactor) {
      keepPending({ ticket: view.twoFactor.ticket, kind, ...(next && { next }) }, password);
    }
    await router.navigate({ to: "/login/verify" });
    return;
  }
  dropPending();
  client.removeQueries({ queryKey: ["wallet"] });
  client.removeQueries({ queryKey: memberQuery.queryKey });
  noteFirstLogin(kind, view, sessionStorage);
  storeToken(view.token);
  // The page that asked for the login may have had a query.
  const href = next ?? landing(site, kind);
  if (mustChange(kind, password, view)) {
    openPopup("changePassword", { forced: { next: href, held: password } });
    return;
  }
  try {
    const member = await client.fetchQuery(memberQuery);
    await speakLanguageOf(member);
    const welcome =
      kind === "register"
        ? await greetNewMember(member, t)
        : welcomeText(kind, member, getBoot().merchant.timeZone, t);
    await router.navigate({ href });
    scrollTo({ top: 0, behavior: "instant" });
    const isNew = view.firstTimeLogin && kind !== "trial" && !member.toComplete;
    const run = () => void router.navigate({ to: "/securityCenter" });
    toast(welcome, "good", isNew ? { label: t("auth.guard"), run } : undefined);
    if (member.toComplete) openPopup("complete", {});
  } catch (error) {
    clearSession();
    throw error;
  }
}

/** Leaves: the server forgets the session, this tab forgets everything but the merchant. */
export function useLeave(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const t = useT();
  return async () => {
    // The tab leaves even when the server cannot be told; the token ends by its own life then. It leaves before the
    // server answers: the line of pushed news ends with the session, which must not look like somebody else's doing.
    const told = logout().catch(() => undefined);
    clearSession();
    client.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== "games" && queryKey[0] !== "site",
    });
    await navigate({ to: "/", replace: true });
    await told;
    toast(t("session.ended"), "info");
  };
}
