import { useQueryClient } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field, PasswordField } from "@/ui/field";
import { logIn } from "./api";
import { CodeField } from "./code-field";
import { type Faults, codeFault, digitsOf, emptyOnes, useServerForm } from "./form";
import { enter, useIsOver } from "./session";
import { FormFailure } from "./form-failure";

type Values = { username: string; password: string; code: string };
const nothing: Values = { username: "", password: "", code: "" };

export function LoginPage() {
  const t = useT();
  const isOver = useIsOver((state) => state.isOver);
  return (
    <main className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,30rem)_1fr]">
      <section className="grid content-center gap-6 p-6 sm:p-10">
        <div className="grid gap-2">
          <h1 className="display text-2xl">{t("office.heading")}</h1>
          <p className="text-sm text-muted">{t("office.intro")}</p>
        </div>
        {isOver && (
          <p role="status" className="leaf border border-line-strong p-3 text-sm">
            {t("office.over")}
          </p>
        )}
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

function check(values: Values): Faults<Values> {
  return { ...codeFault(values.code), ...emptyOnes(values, ["username", "password", "code"]) };
}

function LoginForm() {
  const t = useT();
  const client = useQueryClient();
  const form = useServerForm(nothing, check, async ({ username, password, code }) => {
    enter(client, await logIn({ username, password, code: digitsOf(code) }));
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
      <FormFailure text={form.failure} />
      <Field
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- there is nothing else to do on this page
        autoFocus
        label={t("office.username")}
        autoComplete="username"
        autoCapitalize="none"
        error={form.fault("username")}
        {...form.register("username")}
      />
      <PasswordField
        label={t("office.password")}
        autoComplete="current-password"
        error={form.fault("password")}
        {...form.register("password")}
      />
      <CodeField error={form.fault("code")} {...form.register("code")} />
      <Button type="submit" variant="main" busy={form.busy}>
        {t("office.submit")}
      </Button>
    </form>
  );
}
