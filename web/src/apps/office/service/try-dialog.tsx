import { useState } from "react";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Icon } from "@/ui/icon";
import { type Faults, reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { type OutsideName, type Tried, tryOutside } from "./api";
import { outcomeWords, outsideWords } from "./outside-words";
import { FormFailure } from "../form-failure";

type Values = { to: string; reason: string };

/** What a try needs beside a reason: whom to write to, or what to look up. */
const targets: Partial<Record<OutsideName, { label: Key; hint: Key; rule: Key }>> = {
  sms: {
    label: "service.try_number",
    hint: "service.try_number_hint",
    rule: "service.number_rule",
  },
  mail: { label: "service.try_mail", hint: "service.try_mail_hint", rule: "service.mail_rule" },
  countries: {
    label: "service.try_address",
    hint: "service.try_address_hint",
    rule: "service.address_rule",
  },
};

type TryDialogProps = { name: OutsideName; onClose: () => void };

/** Tries an outside service, and says in plain words what came of it. */
export function TryDialog({ name, onClose }: TryDialogProps) {
  const t = useT();
  const target = targets[name];
  const [tried, setTried] = useState<Tried | null>(null);
  const check = (values: Values): Faults<Values> => ({
    ...(target && values.to.trim() === "" && { to: target.rule }),
    ...reasonFault(values.reason),
  });
  const form = useServerForm({ to: "", reason: "" }, check, async ({ to, reason }) => {
    setTried(null);
    setTried(await tryOutside(name, { reason: reason.trim(), ...(target && { to }) }));
  });
  const wrongTarget = form.fault("to") && target ? t(target.rule) : undefined;
  return (
    <Dialog onClose={onClose}>
      <div className="grid gap-4 p-6">
        <DialogTitle>{t("service.try_one", t(outsideWords[name].name))}</DialogTitle>
        <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
          <FormFailure text={form.failure} />
          {target && (
            <Field
              data-autofocus
              label={t(target.label)}
              hint={t(target.hint)}
              autoComplete="off"
              error={wrongTarget}
              {...form.register("to")}
            />
          )}
          <ReasonField field={form.register("reason")} error={form.fault("reason")} />
          <Button type="submit" variant="main" busy={form.busy} className="justify-self-start">
            {t("service.try")}
          </Button>
        </form>
        <div role="status" className="empty:hidden">
          {tried && <Result tried={tried} />}
        </div>
      </div>
    </Dialog>
  );
}

function Result({ tried: { isGood, outcome, detail } }: { tried: Tried }) {
  const t = useT();
  return (
    <p className="leaf flex items-start gap-2.5 border border-line-strong p-3 text-sm">
      <Icon
        name={isGood ? "check" : "alert"}
        className={`mt-px size-5 shrink-0 ${isGood ? "text-win" : "text-live-text"}`}
      />
      <span>{t(outcomeWords[outcome], detail ?? "–")}</span>
    </p>
  );
}
