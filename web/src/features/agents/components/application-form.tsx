import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { HumanNote } from "@/features/auth/components/human-note";
import { invitation } from "@/features/auth/invitation";
import { useSession } from "@/features/auth/session";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { ChoiceField } from "@/ui/choice-field";
import { Field } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { TextArea } from "@/ui/text-area";
import { toast } from "@/ui/toast";
import { applicationQuery, apply } from "../api";
import {
  type ApplicationForm as Values,
  applicationFaults,
  bounds,
  contactKinds,
  contactLabels,
  lengthOf,
} from "../model";

const names = ["name", "contactKind", "contact", "audience", "message"] as const;
const empty: Values = { name: "", contactKind: "EMAIL", contact: "", audience: "", message: "" };

/** A code that is longer than the server takes belongs to nobody. */
const codeOf = (code: string | undefined) => (code && code.length <= 32 ? code : null);

type Props = { isVisitor: boolean; onSent: () => void };

export function ApplicationForm({ isVisitor, onSent }: Props) {
  const t = useT();
  const client = useQueryClient();
  const proves = useSession().kind !== "member";
  const [failure, setFailure] = useState<string | null>(null);
  const { register, control, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults(applicationFaults),
    defaultValues: empty,
  });
  const [audience, message] = useWatch({ control, name: ["audience", "message"] });
  const fault = (name: keyof Values) => {
    const text = formState.errors[name]?.message;
    const { min, max } = name === "contactKind" ? { min: 0, max: 0 } : bounds[name];
    return text && t(text as Key, min, max);
  };
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    const { affiliateCode, referralCode } = invitation(sessionStorage);
    const application = {
      name: values.name.trim(),
      contactKind: values.contactKind,
      contact: values.contact.trim(),
      audience: values.audience.trim(),
      message: values.message.trim(),
      affiliateCode: codeOf(affiliateCode),
      referralCode: codeOf(referralCode),
    };
    try {
      await apply(application, proves);
      if (!isVisitor) await client.invalidateQueries({ queryKey: applicationQuery.queryKey });
      onSent();
      toast(t("join.sent"), "good");
    } catch (error) {
      if (!takeFieldErrors(error, names, setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <FormAlert text={failure} />
      <Field
        label={t("join.name")}
        starred
        autoComplete="name"
        error={fault("name")}
        {...register("name")}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <ChoiceField
          label={t("join.contact_kind")}
          options={contactKinds.map((value) => ({ value, label: t(contactLabels[value]) }))}
          error={fault("contactKind")}
          {...register("contactKind")}
        />
        <Field
          label={t("join.contact")}
          starred
          autoCapitalize="none"
          spellCheck={false}
          error={fault("contact")}
          {...register("contact")}
        />
      </div>
      <TextArea
        label={t("join.audience")}
        rows={3}
        starred
        error={fault("audience")}
        count={{ now: lengthOf(audience), most: bounds.audience.max }}
        {...register("audience")}
      />
      <TextArea
        label={t("join.message")}
        rows={4}
        error={fault("message")}
        count={{ now: lengthOf(message), most: bounds.message.max }}
        {...register("message")}
      />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("join.send")}
      </Button>
      <HumanNote busy={formState.isSubmitting && proves} />
    </form>
  );
}
