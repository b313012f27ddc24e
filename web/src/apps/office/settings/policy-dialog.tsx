import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { ChoiceField } from "@/ui/choice-field";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { CheckField, Field } from "@/ui/field";
import { type Faults, emptyOnes, reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { type Country, type Settings, changeSetting } from "./api";
import { own, placeText } from "./policies-tab";
import { useSave } from "./save";
import { FormFailure } from "../form-failure";

type PolicyDialogProps = {
  settings: Settings;
  /** Null for a country that is to be chosen. */
  name: string | null;
  countries: readonly Country[];
  onRemove: (name: string) => void;
  onClose: () => void;
};
type Values = {
  country: string;
  minimumAge: string;
  passwordDays: string;
  dialingCode: string;
  restricted: boolean;
  closedCategories: string;
  reason: string;
};

/** The codes of a list as it is typed. */
const codesOf = (text: string) => text.toUpperCase().match(/[A-Z]+/g) ?? [];

const isWhole = (text: string) => /^\d{1,4}$/.test(text.trim());

function check(values: Values): Faults<Values> {
  const { passwordDays } = values;
  return {
    ...(!isWhole(values.minimumAge) && { minimumAge: "settings.fault_age" }),
    ...(passwordDays.trim() !== "" &&
      !isWhole(passwordDays) && { passwordDays: "settings.fault_days" }),
    ...emptyOnes(values, ["country"]),
    ...reasonFault(values.reason),
  };
}

/** Adds a country's policy, or changes one. */
export function PolicyDialog(props: PolicyDialogProps) {
  const { settings, name, countries, onRemove, onClose } = props;
  const t = useT();
  const save = useSave();
  const old = name === null ? undefined : settings.policies[name];
  const first: Values = {
    country: name ?? "",
    minimumAge: String(old?.minimumAge ?? settings.policies[own]?.minimumAge ?? 21),
    passwordDays: String(old?.passwordDays ?? ""),
    dialingCode: old?.dialingCode ?? "",
    restricted: old?.restricted ?? false,
    closedCategories: (old?.closedCategories ?? []).join(", "),
    reason: "",
  };
  const form = useServerForm(first, check, async (values) => {
    const value = {
      minimumAge: Number(values.minimumAge),
      passwordDays: values.passwordDays.trim() === "" ? null : Number(values.passwordDays),
      dialingCode: values.country === own ? values.dialingCode.trim() : null,
      restricted: values.restricted,
      closedCategories: codesOf(values.closedCategories),
    };
    const { country, reason } = values;
    const wanted = { kind: "policy", name: country, seen: old ?? null, value, reason } as const;
    await save(() => changeSetting(settings.id, wanted));
    onClose();
  });
  const free = countries.filter(({ countryCode }) => !settings.policies[countryCode]);
  return (
    <Dialog onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4 p-6">
        <DialogTitle>
          {name === null ? t("settings.policy_add") : placeText(name, countries, t)}
        </DialogTitle>
        <FormFailure text={form.failure} />
        {name === null && (
          <ChoiceField
            data-autofocus
            label={t("settings.place")}
            error={form.fault("country")}
            options={[
              { value: "", label: t("settings.choose") },
              ...free.map(({ countryCode, name: label }) => ({ value: countryCode, label })),
            ]}
            {...form.register("country")}
          />
        )}
        <Field
          {...(name !== null && { "data-autofocus": true })}
          label={t("settings.minimum_age")}
          hint={t("settings.age_hint")}
          inputMode="numeric"
          autoComplete="off"
          error={form.fault("minimumAge")}
          {...form.register("minimumAge")}
        />
        <Field
          label={t("settings.password_days")}
          hint={t("settings.days_hint")}
          inputMode="numeric"
          autoComplete="off"
          error={form.fault("passwordDays")}
          {...form.register("passwordDays")}
        />
        {name === own && (
          <Field
            label={t("settings.dialing_code")}
            hint={t("settings.dialing_hint")}
            inputMode="numeric"
            autoComplete="off"
            error={form.fault("dialingCode")}
            {...form.register("dialingCode")}
          />
        )}
        <Field
          label={t("settings.closed_categories")}
          hint={t("settings.closed_hint")}
          autoComplete="off"
          error={form.fault("closedCategories")}
          {...form.register("closedCategories")}
        />
        <CheckField
          label={t("settings.restricted_text")}
          error={form.fault("restricted")}
          {...form.register("restricted")}
        />
        <ReasonField field={form.register("reason")} error={form.fault("reason")} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="main" busy={form.busy} className="grow">
            {t("office.save")}
          </Button>
          {name !== null && name !== own && (
            <Button onClick={() => onRemove(name)}>{t("settings.remove")}</Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
