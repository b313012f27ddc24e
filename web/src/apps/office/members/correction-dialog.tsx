import { useQueryClient } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { parseMoney } from "@/lib/money/money";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { toast } from "@/ui/toast";
import { type Faults, reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { type Correction, type MemberFile, askCorrection } from "./api";
import { FormFailure } from "../form-failure";

type Values = { direction: Correction["direction"]; amount: string; reason: string };

const plain = (amount: string) => amount.replaceAll(/[\s,]/g, "");

export function checkCorrection({ amount, reason }: Values): Faults<Values> {
  const units = parseMoney(plain(amount));
  return {
    ...((units === null || units <= 0n) && { amount: "members.amount_rule" }),
    ...reasonFault(reason),
  };
}

type CorrectionDialogProps = { member: MemberFile; onClose: () => void };

/** Asks for a correction of the balance; somebody else has to agree before money moves. */
export default function CorrectionDialog({ member, onClose }: CorrectionDialogProps) {
  const t = useT();
  const client = useQueryClient();
  const form = useServerForm<Values>(
    { direction: "credit", amount: "", reason: "" },
    checkCorrection,
    async ({ direction, amount, reason }) => {
      await askCorrection(member.id, { direction, amount: plain(amount) }, reason);
      onClose();
      toast(t("members.correct_done"), "good");
      await client.invalidateQueries({ queryKey: ["approvals"] });
    },
  );
  const choices = [
    { value: "credit", label: t("members.correct_credit") },
    { value: "debit", label: t("members.correct_debit") },
  ];
  return (
    <Dialog onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4 p-6">
        <DialogTitle>{t("members.correct")}</DialogTitle>
        <p>
          <strong data-name>{member.account}</strong>
        </p>
        <p className="text-muted">{t("members.correct_text")}</p>
        <FormFailure text={form.failure} />
        <fieldset className="grid gap-1">
          <legend className="text-sm text-muted">{t("members.correct_direction")}</legend>
          {choices.map(({ value, label }) => (
            <label key={value} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                value={value}
                className="check rounded-full!"
                {...form.register("direction")}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <Field
          data-autofocus
          label={t("members.amount_in", member.currency)}
          inputMode="decimal"
          autoComplete="off"
          error={form.fault("amount")}
          {...form.register("amount")}
        />
        <ReasonField field={form.register("reason")} error={form.fault("reason")} />
        <div className="flex flex-wrap gap-3">
          <Button onClick={onClose}>{t("popup.cancel")}</Button>
          <Button type="submit" variant="main" busy={form.busy} className="grow">
            {t("members.correct")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
