import { useQueryClient } from "@tanstack/react-query";
import { memberQuery } from "@/features/auth/api";
import { useT } from "@/lib/i18n/i18n";
import { DialogTitle } from "@/ui/dialog";
import { toast } from "@/ui/toast";
import { endTwoFactor } from "../api";
import { StepUpForm } from "./step-up-form";

export default function TwoFactorOffPopup({ close }: { close: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const send = async (password: string, code: string) => {
    await endTwoFactor(password, code);
    await client.invalidateQueries({ queryKey: memberQuery.queryKey });
    close();
    toast(t("security.two_factor_is_off"), "info");
  };
  return (
    <div className="grid gap-4 p-6">
      <DialogTitle>{t("security.two_factor_off_title")}</DialogTitle>
      <StepUpForm
        text={t("security.two_factor_off_text")}
        action={t("security.two_factor_turn_off")}
        onSend={send}
        close={close}
      />
    </div>
  );
}
