import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { clearSession, storeToken } from "@/lib/api/token";
import type { LoginView, MemberInfo } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { type Translate, currentLang, useT } from "@/lib/i18n/i18n";
import { languageTag } from "@/lib/i18n/languages";
import { formatMoney } from "@/lib/money/money";
import { clockText } from "@/lib/time";
import { toast } from "@/ui/toast";
import { logout, memberQuery, openingBalance } from "./api";

export type EnterKind = "login" | "register" | "trial";

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

/** Takes a fresh login in: token, member info, the page to go to, a word of welcome. */
export function useEnter(): (kind: EnterKind, view: LoginView, next?: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const t = useT();
  return async (kind, view, next = "/") => {
    client.removeQueries({ queryKey: ["wallet"] });
    client.removeQueries({ queryKey: memberQuery.queryKey });
    storeToken(view.token);
    try {
      const member = await client.fetchQuery(memberQuery);
      const welcome =
        kind === "register"
          ? await greetNewMember(member, t)
          : welcomeText(kind, member, getBoot().merchant.timeZone, t);
      await navigate({ to: next });
      toast(welcome, "good");
    } catch (error) {
      clearSession();
      throw error;
    }
  };
}

/** Leaves: the server forgets the session, this tab forgets everything but the merchant. */
export function useLeave(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const t = useT();
  return async () => {
    // The tab leaves even when the server cannot be told; the token ends by its own life then.
    await logout().catch(() => undefined);
    clearSession();
    client.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== "games" && queryKey[0] !== "site",
    });
    await navigate({ to: "/", replace: true });
    toast(t("session.ended"), "info");
  };
}
