import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { useGo } from "../address";
import { type Faults, emptyOnes, reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { foundMerchant } from "./api";
import { itemsOf } from "./brand-form";
import { isHost } from "./hosts-panel";
import { useSave } from "./save";
import { searchOf } from "./tabs";
import { ZoneField } from "./zone-field";
import { FormFailure } from "../form-failure";

type Values = { code: string; name: string; timeZone: string; hosts: string; reason: string };
const nothing: Values = { code: "", name: "", timeZone: "Asia/Manila", hosts: "", reason: "" };

function check(values: Values): Faults<Values> {
  const hosts = itemsOf(values.hosts.toLowerCase());
  return {
    ...(!/^[a-z0-9]{2,16}$/.test(values.code.trim()) && { code: "settings.fault_code" }),
    ...((hosts.length === 0 || !hosts.every(isHost)) && { hosts: "settings.fault_hosts" }),
    ...emptyOnes(values, ["name", "timeZone"]),
    ...reasonFault(values.reason),
  };
}

/** The currency of real money that the ledger keeps. */
const currency = "PHP";

/** Founds a merchant; it begins with the usual switches and rules. */
export function FoundDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const go = useGo();
  const save = useSave();
  const form = useServerForm(nothing, check, async (values) => {
    const code = values.code.trim();
    const body = {
      code,
      currency,
      name: values.name.trim(),
      timeZone: values.timeZone.trim(),
      hosts: itemsOf(values.hosts.toLowerCase()),
      reason: values.reason,
    };
    await save(() => foundMerchant(body));
    onClose();
    go("/settings", searchOf("merchants", { merchant: code }));
  });
  const text = (name: keyof Values) => ({
    autoComplete: "off",
    spellCheck: false,
    error: form.fault(name),
    ...form.register(name),
  });
  return (
    <Dialog onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4 p-6">
        <DialogTitle>{t("settings.found")}</DialogTitle>
        <p className="text-sm text-muted">{t("settings.found_text", currency)}</p>
        <FormFailure text={form.failure} />
        <Field data-autofocus label={t("office.name")} maxLength={64} {...text("name")} />
        <Field
          label={t("settings.code")}
          hint={t("settings.fault_code")}
          autoCapitalize="none"
          maxLength={16}
          {...text("code")}
        />
        <ZoneField {...text("timeZone")} />
        <Field
          label={t("settings.hosts")}
          hint={t("settings.found_hosts_hint")}
          autoCapitalize="none"
          {...text("hosts")}
        />
        <ReasonField field={form.register("reason")} error={form.fault("reason")} />
        <Button type="submit" variant="main" busy={form.busy}>
          {t("settings.found")}
        </Button>
      </form>
    </Dialog>
  );
}
