import { type FormEvent, useEffect, useState } from "react";
import { isApiError } from "@/lib/api/error";
import { errorKey, errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { CheckField, Field, PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { whyCaptcha } from "../captcha-words";
import type { Refusal } from "../log-in";
import type { LoginProps } from "../popups";
import { forget, mayRemember } from "../remembering";
import { inputOf, useUsernameLogin } from "../use-username-login";
import { useCaptcha } from "../use-captcha";
import { CaptchaField } from "./captcha-field";
import { HumanNote } from "./human-note";

/** What a form with a captcha begins with when one without was refused. */
export type CaptchaDemand = Pick<LoginProps, "way" | "typed" | "captcha" | "refusal">;

type Props = CaptchaDemand & {
  next: string | undefined;
  /** A captcha is asked for from now on: to be answered with a new form, so that this one does not jump apart. */
  onCaptcha: (demand: CaptchaDemand) => void;
  close: () => void;
};

export function UsernameLoginForm(props: Props) {
  const { next, typed, captcha: asked = false, refusal, onCaptcha, close } = props;
  const t = useT();
  const [failure, setFailure] = useState<string | null>(refusal ?? null);
  const shown = useCaptcha(asked);
  const explain = ({ error, asksCaptcha, typed }: Refusal) => {
    if (!asked && asksCaptcha) {
      // The new form is in the place of this one, whichever the popup was opened with.
      onCaptcha({ way: "username", typed, captcha: true, refusal: t(whyCaptcha(error)) });
      return;
    }
    // An answer is good for one try.
    const answer = inputOf(ref.current, "captcha");
    if (answer) answer.value = "";
    if (asked) shown.refresh();
    if (!answer || !isApiError(error, "session.captcha")) return setFailure(errorText(error, t));
    mark("captcha", errorKey(error));
    answer.focus();
    // With the captcha above it.
    answer.scrollIntoView({ block: "center" });
  };
  const { ref, form, busy, faults, mark } = useUsernameLogin({
    next: () => next,
    typed,
    asksToRemember: true,
    onIn: close,
    onRefused: explain,
  });
  useEffect(() => {
    // Unless somebody walks through tabs.
    if (document.querySelector("[role=tab]:focus")) return;
    if (refusal) inputOf(ref.current, "captcha")?.focus();
  }, [refusal, ref]);
  useEffect(() => {
    // It stands below the button: on a low screen nobody would see that something was wrong.
    if (failure) ref.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }, [failure, ref]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setFailure(null);
    form.onSubmit(event);
  };
  const captcha = {
    ...shown,
    // What was wrong about the one before says nothing of the new one.
    refresh: (kind?: "image" | "question") => {
      mark("captcha");
      shown.refresh(kind);
    },
  };
  const fault = (name: keyof typeof faults) => {
    const message = faults[name];
    return message && t(message);
  };
  return (
    <form {...form} onSubmit={submit} className="grid grid-cols-1 gap-4">
      <Field
        data-autofocus={!asked || undefined}
        label={t("field.username")}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={fault("username")}
        name="username"
      />
      <PasswordField
        label={t("field.password")}
        autoComplete="current-password"
        error={fault("password")}
        name="password"
      />
      {asked && (
        <CaptchaField data-autofocus captcha={captcha} error={fault("captcha")} name="captcha" />
      )}
      {mayRemember() && (
        <CheckField
          label={t("auth.remember")}
          name="remember"
          onChange={({ target }) => {
            if (!target.checked) void forget();
          }}
        />
      )}
      <Button type="submit" variant="main" busy={busy} className="w-full">
        {t("auth.login")}
      </Button>
      <div className="outcome">
        <FormAlert text={failure} />
        <HumanNote busy={busy} />
      </div>
    </form>
  );
}
