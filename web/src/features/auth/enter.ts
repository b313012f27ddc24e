import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { clearSession, readToken, storeToken } from "@/lib/api/token";
import type { MemberInfo } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { type Translate, currentLang, t } from "@/lib/i18n/i18n";
import { languageTag } from "@/lib/i18n/languages";
import { formatMoney } from "@/lib/money/money";
import { closeAllPopups, openPopup } from "@/lib/popup/popup";
import { shownName } from "@/lib/shown-name";
import { clockText } from "@/lib/time";
import { toast } from "@/ui/toast";
import { type LoginAnswer, forgetMember, memberQuery, openingBalance } from "./api";
import { dropForcedChange, forceChange } from "./forced-change";
import { speakLanguageOf } from "./member-language";
import { dropPending, keepPending } from "./pending";
import type { Kept } from "./remember";
import { remember } from "./remembering";

/** The way somebody came in. */
export type EnterKind = "login" | "sms" | "social" | "recovery" | "register" | "trial";

/** What a way in leaves behind until there is a session, however many steps that takes. */
export type FirstStep = {
  /** The password that was used: whoever must change it is not asked for it again. */
  password?: string | undefined;
  /** What is to be kept once somebody is in. */
  remember?: Kept | undefined;
};

export type EnterOptions = FirstStep & {
  /** Where a log-in leads; without it the page that the way in leads to. */
  next?: string | undefined;
};

/** The password that staff and imports give; it may be used once, to set another. */
const weakPassword = "123456";

/** Whether the password that somebody came with must be changed before anything else. */
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
  if (!member.lastLoginAt) return t("auth.welcome_first", shownName(member.account));
  return t("auth.welcome_back", clockText(new Date(member.lastLoginAt), zone));
}

/** A new member may find a welcome credit; how much is the merchant's business. */
async function greetNewMember(member: MemberInfo, t: Translate): Promise<string> {
  const opening = await openingBalance().catch(() => null);
  if (!opening || opening.balance === "0")
    return t("auth.welcome_first", shownName(member.account));
  const credit = formatMoney(opening.balance, opening.currency, languageTag(currentLang()));
  return t("auth.welcome_new", shownName(member.account), credit);
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

const agentsPage = "/agentHome";
/** On the agents' page the server lets nobody but agents in by these. */
const agentsDoors = new Set<EnterKind>(["login", "sms", "social"]);

/**
 * Where a way in leads: a registration to a page of its own, others to where one wanted to go, or home.
 * Who is no agent has nothing to do on the agents' page.
 */
function destinationOf(kind: EnterKind, next: string | undefined, isAgent: boolean): string {
  if (kind === "register") return "/promotions";
  const isLetIn = isAgent || agentsDoors.has(kind);
  if (next !== undefined && (isLetIn || next !== agentsPage)) return next;
  return isLetIn && location.pathname === agentsPage ? agentsPage : "/";
}

/** Takes a fresh login in: token, member info, the page to go to, a word of welcome. */
export async function enter(
  site: Site,
  kind: EnterKind,
  view: LoginAnswer,
  { next, ...step }: EnterOptions = {},
): Promise<void> {
  if (!view.token) {
    const ticket = view.twoFactor?.ticket;
    if (ticket !== undefined) keepPending({ ticket, kind, ...(next && { next }) }, step);
    await site.router.navigate({ to: "/login/verify" });
    return;
  }
  dropPending();
  dropForcedChange();
  forgetMember(site.client);
  noteFirstLogin(kind, view, sessionStorage);
  storeToken(view.token);
  if (mustChange(kind, step.password, view)) {
    // The password that is about to end is not worth keeping.
    const rememberedAs = step.remember?.part === "login" ? step.remember.what.username : undefined;
    const to = destinationOf(kind, next, false);
    forceChange(site, { next: to, held: step.password, rememberedAs });
    return;
  }
  try {
    await welcome(site, kind, view, next);
  } catch (error) {
    // Somebody else may have logged in meanwhile.
    if (readToken() === view.token) clearSession();
    throw error;
  }
  // Nobody waits for it: a browser may let it hang.
  if (step.remember) void remember(step.remember);
}

/** Leads to where the login leads, with a word of welcome. */
async function welcome(
  { client, router }: Site,
  kind: EnterKind,
  { firstTimeLogin }: LoginAnswer,
  next: string | undefined,
): Promise<void> {
  const member = await client.fetchQuery(memberQuery);
  await speakLanguageOf(member);
  const text =
    kind === "register"
      ? await greetNewMember(member, t)
      : welcomeText(kind, member, getBoot().merchant.timeZone, t);
  // The page that asked for the login may have had a query.
  await router.navigate({ href: destinationOf(kind, next, member.isAgent) });
  scrollTo({ top: 0, behavior: "instant" });
  if (kind === "trial") closeAllPopups();
  const isNew = firstTimeLogin && kind !== "trial" && !member.toComplete;
  const run = () => void router.navigate({ to: "/securityCenter" });
  toast(text, "good", isNew ? { label: t("auth.guard"), run } : undefined);
  if (member.toComplete) openPopup("complete", {});
}
