import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button } from "@/ui/button";
import type { RegisterRules } from "../api-login";
import { type FormTerms, type RegisterValues, shownFields, textOf } from "../rules";
import { useEnter } from "../use-enter";
import type { LinkedInvitation } from "../use-invitation";
import { HumanNote } from "./human-note";
import { RuledForm, useRuledForm } from "./ruled-form";

type Props = {
  rules: RegisterRules;
  terms: FormTerms;
  link: LinkedInvitation;
  close: () => void;
};

export function RegisterForm({ rules, terms, link, close }: Props) {
  const t = useT();
  const enter = useEnter("anyway");
  const { way, minimumAge } = terms;
  const fields = shownFields(rules, terms);
  const ruled = useRuledForm({ fields, way, minimumAge });
  const { isSubmitting } = ruled.form.formState;
  const send = async (values: RegisterValues) => {
    const typed = fields.map((field) => [field.name, textOf(values, field)] as const);
    const code = typed.find(([name]) => name === "affiliateCode")?.[1];
    const { sendRegistration } = await loadPart(() => import("../registration"));
    const view = await link.withVerified(link.invited.affiliateCode ?? code, () =>
      sendRegistration(way, typed, values, link.invited),
    );
    await enter("register", view);
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
