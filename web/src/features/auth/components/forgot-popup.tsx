import { type ReactNode, useEffect, useState } from "react";
import { isApiError } from "@/lib/api/error";
import { isSwitchedOn } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { DialogTitle, useLateFocus } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import { Skeleton } from "@/ui/skeleton";
import { Tabs } from "@/ui/tabs";
import { lookAtLink } from "../api-recovery";
import type { ForgotProps } from "../popups";
import { useToken } from "../session";
import { typedName } from "../typed-name";
import { AuthBand } from "./auth-band";
import { ForgotEmailForm } from "./forgot-email-form";
import { ForgotLinkForm } from "./forgot-link-form";
import { ForgotMobileForm } from "./forgot-mobile-form";

/**
 * The ways back to an account: by mail, by mobile number, and the last step of a mail's link. Members who never had a
 * password set their first one here, too; they are in already.
 */
export default function ForgotPopup(props: ForgotProps & { close: () => void }) {
  const { token, username, close } = props;
  const t = useT();
  const isIn = useToken() !== null;
  return (
    <>
      <AuthBand group="w_forgot" />
      <div className="grid grid-cols-1 gap-5 p-6">
        <DialogTitle>{t("forgot.title")}</DialogTitle>
        {token === undefined ? (
          <Ways username={username} close={close} />
        ) : (
          <ByLink token={token} close={close} />
        )}
        {!isIn && (
          <button
            type="button"
            className="min-h-11 justify-self-start text-sm font-semibold text-accent-text underline underline-offset-4"
            onClick={({ currentTarget }) => {
              const typed = typedName(currentTarget) ?? username;
              openPopup("login", typed ? { typed: { username: typed, password: "" } } : {});
              close();
            }}
          >
            {t("forgot.back")}
          </button>
        )}
      </div>
    </>
  );
}

/** Whoever comes with a link that is over is told before a new password is thought of, and can ask for another. */
function ByLink({ token, close }: { token: string; close: () => void }) {
  const t = useT();
  const { look, sayOver } = useLook(token);
  if (look === "asked") return <Skeleton className="h-64" />;
  return (
    <LateFocus key={look}>
      {look === "good" ? (
        <ForgotLinkForm token={token} close={close} onOver={sayOver} />
      ) : (
        <>
          <FormAlert text={t("error.link_over")} />
          <Ways close={close} />
        </>
      )}
    </LateFocus>
  );
}

function LateFocus({ children }: { children: ReactNode }) {
  const ref = useLateFocus<HTMLDivElement>();
  return (
    <div ref={ref} className="grid grid-cols-1 gap-5">
      {children}
    </div>
  );
}

/** Whether the link is still good. What else may be wrong is said when it is used. */
function useLook(token: string) {
  const [look, setLook] = useState<"asked" | "good" | "over">("asked");
  useEffect(() => {
    let isGone = false;
    const take = (found: "good" | "over") => {
      if (!isGone) setLook(found);
    };
    lookAtLink(token).then(
      () => take("good"),
      (error: unknown) => take(isApiError(error, "session.link_over") ? "over" : "good"),
    );
    return () => {
      isGone = true;
    };
  }, [token]);
  return { look, sayOver: () => setLook("over") };
}

type WaysProps = { username?: string | undefined; close: () => void };

function Ways({ username, close }: WaysProps) {
  const t = useT();
  const [wanted, choose] = useState<"email" | "mobile">("email");
  const tabs = [
    { id: "email" as const, label: t("forgot.by_email") },
    ...(isSwitchedOn("MOBILEFORGOTPASS3")
      ? [{ id: "mobile" as const, label: t("forgot.by_mobile") }]
      : []),
  ];
  const way = tabs.length > 1 ? wanted : "email";
  return (
    <Tabs label={t("forgot.way")} tabs={tabs} current={way} onChange={choose}>
      {way === "email" ? (
        <ForgotEmailForm username={username} close={close} />
      ) : (
        <ForgotMobileForm close={close} />
      )}
    </Tabs>
  );
}
