import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { type RegisterRules, checkInvitation } from "../api-login";
import type { Invitation } from "../invitation";
import { sendRegistration } from "../registration";
import { type FormTerms, type RegisterValues, shownFields, textOf } from "../rules";
import { useEnter } from "../use-enter";
import { HumanNote } from "./human-note";
import { RuledForm, useRuledForm } from "./ruled-form";

type Props = {
  rules: RegisterRules;
  terms: FormTerms;
  invited: Invitation;
  next: string | undefined;
  close: () => void;
};

export function RegisterForm({ rules, terms, invited, next, close }: Props) {
  const t = useT();
  const enter = useEnter();
  const { way, minimumAge } = terms;
  const fields = shownFields(rules, terms);
  const ruled = useRuledForm({ fields, way, minimumAge });
  const { isSubmitting } = ruled.form.formState;
  const send = async (values: RegisterValues) => {
    const typed = fields.map((field) => [field.name, textOf(values, field)] as const);
    const code = typed.find(([name]) => name === "affiliateCode")?.[1];
    if (code) await checkInvitation(code);
    const view = await sendRegistration(way, typed, values, invited);
    await enter("register", view, { next });
    close();
  };
  return (
    <RuledForm ruled={ruled} send={send}>
      <div className="flex gap-3">
        <Button onClick={ruled.clear}>{t("auth.reset")}</Button>
        <Button type="submit" variant="main" busy={isSubmitting} className="grow">
          {t("auth.register")}
        </Button>
      </div>
      <HumanNote busy={isSubmitting} />
    </RuledForm>
  );
}
