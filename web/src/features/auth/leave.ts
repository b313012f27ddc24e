import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { clearSession } from "@/lib/api/token";
import { t } from "@/lib/i18n/i18n";
import { askConfirm } from "@/lib/popup/popup";
import { focusPage } from "@/ui/focus-page";
import { toast } from "@/ui/toast";
import { logout } from "./api";
import type { Site } from "./enter";

/** Leaves: the server forgets the session, this tab forgets everything but the merchant. */
export async function leave({ client, router }: Site): Promise<void> {
  // The tab leaves even when the server cannot be told; the token ends by its own life then. It leaves before the
  // server answers: the line of pushed news ends with the session, which must not look like somebody else's doing.
  const told = logout().catch(() => undefined);
  clearSession();
  client.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] !== "games" && queryKey[0] !== "site",
  });
  await router.navigate({ to: "/", replace: true });
  await told;
  toast(t("session.ended"), "info");
  focusPage();
  // What has it may go a moment later, with the session that it was shown for.
  setTimeout(focusPage, 500);
}

const question = {
  title: "logout.title",
  text: "logout.text",
  action: "logout.action",
} as const;

/** For whoever wants to leave, and is asked whether that was meant. */
export function useLeave(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    if (await askConfirm(question)) await leave({ client, router });
  };
}
