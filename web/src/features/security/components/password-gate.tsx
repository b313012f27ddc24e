import type { ReactNode } from "react";
import { useSession } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";

/**
 * Around what asks for the log-in password. Who came through another account or by codes has none: that is said before
 * anything is typed, with the way to a first one.
 */
export function PasswordGate({ close, children }: { close: () => void; children: ReactNode }) {
  const t = useT();
  const { member } = useSession();
  if (member?.hasPassword !== false) return children;
  const setOne = () => {
    openPopup("forgot", {});
    close();
  };
  return (
    <>
      <p className="text-muted">{t("error.no_password")}</p>
      <Button data-autofocus variant="main" onClick={setOne}>
        {t("security.set_password")}
      </Button>
    </>
  );
}
