import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { DialogTitle } from "@/ui/dialog";
import { renewRecoveryCodes } from "../api";
import { RecoveryList } from "./recovery-list";
import { StepUpForm } from "./step-up-form";

/** New codes for a lost phone; the old ones end. */
export default function RecoveryCodesPopup({ close }: { close: () => void }) {
  const t = useT();
  const [codes, setCodes] = useState<string[] | null>(null);
  const send = async (password: string, code: string) =>
    setCodes(await renewRecoveryCodes(password, code));
  return (
    <div className="grid gap-4 p-6">
      <DialogTitle>{t("security.recovery_title")}</DialogTitle>
      {codes ? (
        <RecoveryList codes={codes} onDone={close} />
      ) : (
        <StepUpForm
          text={t("security.recovery_renew_text")}
          action={t("security.recovery_renew")}
          onSend={send}
          close={close}
        />
      )}
    </div>
  );
}
