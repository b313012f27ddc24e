import { useForm } from "react-hook-form";
import { useState } from "react";
import { minLength, object, regex, string, trim } from "zod/mini";
import { api, unwrap } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { bySchema } from "@/lib/form-schema";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field, PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";

const say = (key: Key): string => key;
const schema = object({
  username: string().check(trim(), minLength(1, say("office.required"))),
  password: string().check(minLength(1, say("office.required"))),
  code: string().check(trim(), regex(/^\d{6}$/, say("office.code_pattern"))),
});
type Values = { username: string; password: string; code: string };

export function LoginPage() {
  const t = useT();
  return (
    <main className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,30rem)_1fr]">
      <section className="grid content-center gap-6 p-6 sm:p-10">
        <div className="grid gap-2">
          <h1 className="display text-2xl">{t("office.heading")}</h1>
          <p className="text-sm text-muted">{t("office.intro")}</p>
        </div>
        <LoginForm />
      </section>
      <div
        className="relative overflow-hidden border-l border-line bg-surface max-lg:hidden"
        aria-hidden="true"
      >
        <div className="lattice office-lattice absolute inset-0" />
      </div>
    </main>
  );
}

function LoginForm() {
  const t = useT();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm<Values>({
    resolver: bySchema(schema),
    defaultValues: { username: "", password: "", code: "" },
  });
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key);
  };
  const submit = handleSubmit(async (body) => {
    setFailure(null);
    try {
      await unwrap(api.POST("/office/api/session/login", { body }));
    } catch (error) {
      setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormAlert text={failure} />
      <Field
        label={t("office.username")}
        autoComplete="username"
        error={fault("username")}
        {...register("username")}
      />
      <PasswordField
        label={t("office.password")}
        autoComplete="current-password"
        error={fault("password")}
        {...register("password")}
      />
      <Field
        label={t("office.code")}
        hint={t("office.code_hint")}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        error={fault("code")}
        {...register("code")}
      />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("office.submit")}
      </Button>
    </form>
  );
}
