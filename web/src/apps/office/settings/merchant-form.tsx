import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { ChoiceField } from "@/ui/choice-field";
import { Field } from "@/ui/field";
import { type Faults, emptyOnes, reasonFault, useServerForm } from "../form";
import { Fact, Facts, Panel } from "../panel";
import { ReasonField } from "../reason-field";
import { changeSetting } from "./api";
import { useSave } from "./save";
import type { TabProps } from "./site-tab";
import { ZoneField } from "./zone-field";
import { FormFailure } from "../form-failure";

type Values = {
  name: string;
  timeZone: string;
  mainDomain: string;
  welcomeCredit: string;
  codeMinutes: string;
  smsPerDay: string;
  trialHours: string;
  reason: string;
};

const isWhole = (text: string) => /^\d{1,7}$/.test(text.trim());

function check(values: Values): Faults<Values> {
  return {
    ...(!/^\d{1,7}(\.\d{1,2})?$/.test(values.welcomeCredit.trim()) && {
      welcomeCredit: "settings.fault_credit",
    }),
    ...(!isWhole(values.codeMinutes) && { codeMinutes: "settings.fault_minutes" }),
    ...(!isWhole(values.smsPerDay) && { smsPerDay: "settings.fault_sms" }),
    ...(!isWhole(values.trialHours) && { trialHours: "settings.fault_hours" }),
    ...emptyOnes(values, ["name", "timeZone"]),
    ...reasonFault(values.reason),
  };
}

/** Name, zone, money and numbers of a merchant. */
export function MerchantForm({ settings, mayWrite }: TabProps) {
  const t = useT();
  const save = useSave();
  const { merchant } = settings;
  const first: Values = {
    ...merchant,
    codeMinutes: String(merchant.codeMinutes),
    smsPerDay: String(merchant.smsPerDay),
    trialHours: String(merchant.trialHours),
    reason: "",
  };
  const form = useServerForm(first, check, async ({ reason, ...values }) => {
    const value = {
      name: values.name.trim(),
      timeZone: values.timeZone.trim(),
      mainDomain: values.mainDomain,
      welcomeCredit: values.welcomeCredit.trim(),
      codeMinutes: Number(values.codeMinutes),
      smsPerDay: Number(values.smsPerDay),
      trialHours: Number(values.trialHours),
    };
    const wanted = { kind: "merchant", seen: merchant, value, reason } as const;
    await save(() => changeSetting(settings.id, wanted));
  });
  const text = (name: keyof Values) => ({
    autoComplete: "off",
    error: form.fault(name),
    ...form.register(name),
  });
  return (
    <Panel title={t("settings.merchant")}>
      <Facts>
        <Fact label={t("settings.code")}>
          <code data-name className="font-mono text-sm">
            {settings.code}
          </code>
        </Fact>
        <Fact label={t("settings.currency")}>
          <span data-name>{settings.currency}</span>
        </Fact>
      </Facts>
      <form noValidate onSubmit={form.onSubmit} aria-label={t("settings.merchant")}>
        <fieldset disabled={!mayWrite} className="grid gap-3 sm:grid-cols-2">
          <Field label={t("office.name")} maxLength={64} {...text("name")} />
          <ZoneField {...text("timeZone")} />
          <ChoiceField
            label={t("settings.main_domain")}
            error={form.fault("mainDomain")}
            options={Object.keys(settings.hosts).map((host) => ({ value: host, label: host }))}
            {...form.register("mainDomain")}
          />
          <Field
            label={t("settings.welcome_credit", settings.currency)}
            inputMode="decimal"
            {...text("welcomeCredit")}
          />
          <Field label={t("settings.code_minutes")} inputMode="numeric" {...text("codeMinutes")} />
          <Field label={t("settings.sms_per_day")} inputMode="numeric" {...text("smsPerDay")} />
          <Field label={t("settings.trial_hours")} inputMode="numeric" {...text("trialHours")} />
        </fieldset>
        {mayWrite && (
          <div className="mt-4 grid gap-4 border-t border-line pt-4">
            <FormFailure text={form.failure} />
            <ReasonField field={form.register("reason")} error={form.fault("reason")} />
            <Button type="submit" variant="main" busy={form.busy} className="justify-self-start">
              {t("office.save")}
            </Button>
          </div>
        )}
      </form>
    </Panel>
  );
}
