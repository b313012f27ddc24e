import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { recoverByEmail } from "../api-recovery";
import { checkFields, email, required } from "../checks";
import { useUsernameWords } from "../field-rules";
import { withProof } from "../sign-in";
import { HumanNote } from "./human-note";

type Values = { username: string; email: string };
const names = ["username", "email"] as const;

type Props = { username: string | undefined; close: () => void };

/** Has a link sent; what happens next is told, for as long as one wants to read it, and the popup closes. */
export function ForgotEmailForm({ username = "", close }: Props) {
  const t = useT();
  const words = useUsernameWords();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults(checkFields<Values>({ username: required, email })),
    defaultValues: { username, email: "" },
  });
  const fault = (name: keyof Values) => words.say(formState.errors[name]?.message);
  const word = (name: keyof Values, code: string) =>
    name === "username" ? words.word(code) : undefined;
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    const address = values.email.trim();
    try {
      await withProof((human) => recoverByEmail(values.username.trim(), address, human));
      close();
      openPopup("notice", {
        title: "forgot.mail_title",
        text: "forgot.mail_sent",
        words: t("forgot.mail_sent", address),
        action: "warning.ok",
      });
    } catch (error) {
      if (!takeFieldErrors(error, names, setError, word)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <p className="text-muted">{t("forgot.email_text")}</p>
      <FormAlert text={failure} />
      <Field
        data-autofocus={!username || undefined}
        label={t("field.username")}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={fault("username")}
        {...register("username")}
      />
      <Field
        data-autofocus
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
