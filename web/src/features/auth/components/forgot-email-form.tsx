import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { toast } from "@/ui/toast";
import { recoverByEmail } from "../api-login";
import { checkFields, email, required } from "../checks";
import { useUsernameWords } from "../field-rules";
import { withProof } from "../sign-in";
import { HumanNote } from "./human-note";

type Values = { username: string; email: string };
const names = ["username", "email"] as const;

/** Has a link sent; what happens next is told, then the popup closes. */
export function ForgotEmailForm({ close }: { close: () => void }) {
  const t = useT();
  const words = useUsernameWords();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults(checkFields<Values>({ username: required, email })),
    defaultValues: { username: "", email: "" },
  });
  const fault = (name: keyof Values) => words.say(formState.errors[name]?.message);
  const word = (name: keyof Values, code: string) =>
    name === "username" ? words.word(code) : undefined;
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    try {
      await withProof((human) =>
        recoverByEmail(values.username.trim(), values.email.trim(), human),
      );
      close();
      toast(t("forgot.mail_sent"), "good");
    } catch (error) {
      if (!takeFieldErrors(error, names, setError, word)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <p className="text-muted">{t("forgot.email_text")}</p>
      <FormAlert text={failure} />
      <Field
        data-autofocus
        label={t("field.username")}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={fault("username")}
        {...register("username")}
      />
      <Field
        label={t("field.email")}
        type="email"
        autoComplete="email"
        error={fault("email")}
        {...register("email")}
      />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("forgot.send_mail")}
      </Button>
      <HumanNote busy={formState.isSubmitting} />
    </form>
  );
}
