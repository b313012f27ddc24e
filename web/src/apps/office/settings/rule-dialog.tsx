import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { ChoiceField } from "@/ui/choice-field";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { CheckField, Field } from "@/ui/field";
import { type Faults, reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { type FieldRow, type Settings, changeSetting } from "./api";
import { fieldText, patternName } from "./fields";
import { useSave } from "./save";
import { FormFailure } from "../form-failure";

type RuleDialogProps = { settings: Settings; name: string; field: FieldRow; onClose: () => void };
type Values = {
  enabled: boolean;
  required: boolean;
  minLength: string;
  maxLength: string;
  patternId: string;
  reason: string;
};

const isWhole = (text: string) => /^\d{1,4}$/.test(text.trim());

export function checkRule(values: Values): Faults<Values> {
  return {
    ...(!isWhole(values.minLength) && { minLength: "settings.fault_length" }),
    ...(!isWhole(values.maxLength) && { maxLength: "settings.fault_length" }),
    ...reasonFault(values.reason),
  };
}

/** The rule of one field. */
export function RuleDialog({ settings, name, field, onClose }: RuleDialogProps) {
  const t = useT();
  const save = useSave();
  const { rule, minLength, maxLength, patterns } = field;
  const first: Values = {
    ...rule,
    minLength: String(rule.minLength),
    maxLength: String(rule.maxLength),
    reason: "",
  };
  const form = useServerForm(first, checkRule, async ({ reason, ...values }) => {
    const value = {
      ...values,
      minLength: Number(values.minLength),
      maxLength: Number(values.maxLength),
    };
    const wanted = { kind: "register_rule", name, seen: rule, value, reason } as const;
    await save(() => changeSetting(settings.id, wanted));
    onClose();
  });
  const range = t("settings.length_hint", minLength, maxLength);
  return (
    <Dialog onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4 p-6">
        <DialogTitle>{fieldText(name, t)}</DialogTitle>
        <FormFailure text={form.failure} />
        <div>
          <CheckField
            data-autofocus
            label={t("settings.rule_enabled_label")}
            error={form.fault("enabled")}
            {...form.register("enabled")}
          />
          <CheckField label={t("settings.rule_required_label")} {...form.register("required")} />
        </div>
        <div className="grid grid-cols-2 gap-3">
          <Field
            label={t("settings.rule_min")}
            inputMode="numeric"
            autoComplete="off"
            error={form.fault("minLength")}
            {...form.register("minLength")}
          />
          <Field
            label={t("settings.rule_max")}
            inputMode="numeric"
            autoComplete="off"
            error={form.fault("maxLength")}
            {...form.register("maxLength")}
          />
          <p className="col-span-full -mt-2 text-sm text-muted">{range}</p>
        </div>
        <ChoiceField
          label={t("settings.rule_pattern")}
          error={form.fault("patternId")}
          options={patterns.map((id) => ({ value: id, label: patternName(id, t) }))}
          {...form.register("patternId")}
        />
        <ReasonField field={form.register("reason")} error={form.fault("reason")} />
        <Button type="submit" variant="main" busy={form.busy}>
          {t("office.save")}
        </Button>
      </form>
    </Dialog>
  );
}
