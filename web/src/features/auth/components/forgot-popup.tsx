import { useState } from "react";
import { isSwitchedOn } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { DialogTitle } from "@/ui/dialog";
import { Tabs } from "@/ui/tabs";
import { type ForgotProps, openLogin } from "../popups";
import { useToken } from "../session";
import { AuthBand } from "./auth-band";
import { ForgotEmailForm } from "./forgot-email-form";
import { ForgotLinkForm } from "./forgot-link-form";
import { ForgotMobileForm } from "./forgot-mobile-form";

/**
 * The ways back to an account: by mail, by mobile number, and the last step of a mail's link. Members who never had a
 * password set their first one here, too; they are in already.
 */
export default function ForgotPopup({ token, close }: ForgotProps & { close: () => void }) {
  const t = useT();
  const isIn = useToken() !== null;
  return (
    <>
      <AuthBand group="w_forgot" />
      <div className="grid grid-cols-1 gap-5 p-6">
        <DialogTitle>{t("forgot.title")}</DialogTitle>
        {token === undefined ? (
          <Ways close={close} />
        ) : (
          <ForgotLinkForm token={token} close={close} />
        )}
        {!isIn && (
          <button
            type="button"
            className="min-h-11 justify-self-start text-sm font-semibold text-accent-text underline underline-offset-4"
            onClick={() => {
              openLogin();
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

function Ways({ close }: { close: () => void }) {
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
      {way === "email" ? <ForgotEmailForm close={close} /> : <ForgotMobileForm close={close} />}
    </Tabs>
  );
}
