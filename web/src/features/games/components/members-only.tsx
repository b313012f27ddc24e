import type { ReactNode } from "react";
import { openLogin, openRegister } from "@/features/auth/popups";
import { useSession } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Elsewhere } from "./elsewhere";
import { GridSkeleton } from "./game-grid";

type MembersOnlyProps = { title: string; text: string; children: ReactNode };

/** Lists that are a member's own: others are told what they would find, and how to get there. */
export function MembersOnly({ title, text, children }: MembersOnlyProps) {
  const t = useT();
  const { kind } = useSession();
  if (kind === "unknown") return <GridSkeleton count={6} />;
  if (kind === "member") return children;
  return (
    <Elsewhere title={title} text={text}>
      {kind === "visitor" ? (
        <>
          <Button variant="main" onClick={() => openLogin(location.pathname)}>
            {t("header.login")}
          </Button>
          <Button onClick={() => openRegister(location.pathname)}>{t("header.join")}</Button>
        </>
      ) : (
        <Button variant="main" onClick={() => openRegister()}>
          {t("in_increase_submit")}
        </Button>
      )}
    </Elsewhere>
  );
}
