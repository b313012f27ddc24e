import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { CheckField, Field, PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { checkFields, required, secret } from "../checks";
import { useEnter } from "../use-enter";
import type { LoginProps } from "../popups";
import { forget, fulfilWish, mayRemember, recall, wishToRemember } from "../remembering";
import { asksCaptcha, signIn } from "../sign-in";
import { CaptchaField, useCaptcha } from "./captcha-field";
import { HumanNote } from "./human-note";

type Values = { username: string; password: string; captcha: string; remember: boolean };
const names = ["username", "password", "captcha"] as const;

/** What a form with a captcha begins with when one without was refused. */
export type CaptchaDemand = Pick<LoginProps, "typed" | "captcha" | "refusal">;

type Props = CaptchaDemand & {
  next: string | undefined;
  /** A captcha is asked for from now on: to be answered with a new form, so that this one does not jump apart. */
  onCaptcha: (demand: CaptchaDemand) => void;
  close: () => void;
};

export function UsernameLoginForm(props: Props) {
  const { next, typed, captcha: asked = false, refusal, onCaptcha, close } = props;
  const t = useT();
  const enter = useEnter();
  const [failure, setFailure] = useState<string | null>(refusal ?? null);
  const shown = useCaptcha(asked);
  const form = useForm<Values>({
    resolver: byFaults(
      checkFields<Values>({
        username: required,
        password: secret,
        ...(asked && { captcha: required }),
      }),
    ),
    defaultValues: { username: "", password: "", remember: false, ...typed, captcha: "" },
  });
  const { register, handleSubmit, formState, setError, setFocus, reset, resetField, getValues } =
    form;
  useEffect(() => {
    if (refusal) setFocus("captcha");
  }, [refusal, setFocus]);
  useEffect(() => {
    if (typed) return;
    const fill = async () => {
      const kept = await recall();
      const touched = getValues("username") !== "" || getValues("password") !== "";
      if (!kept?.username || touched) return;
      const { username, password = "" } = kept;
      reset({ username, password, captcha: "", remember: true });
    };
    void fill();
  }, [typed, reset, getValues]);
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key);
  };
  const submit = handleSubmit(async ({ password, remember: keep, ...typed }) => {
    setFailure(null);
    try {
      const username = typed.username.trim();
      const answer = asked && { captcha: typed.captcha.trim() };
      const view = await signIn({ username, password, ...answer });
      await wishToRemember(keep ? { username, password } : null);
      await enter("login", view, { next, password });
      if (view.token) await fulfilWish();
      close();
    } catch (error) {
      if (!asked && asksCaptcha(error)) {
        const known = { username: typed.username, password, remember: keep };
        onCaptcha({ typed: known, captcha: true, refusal: errorText(error, t) });
        return;
      }
      if (asked) {
        // An answer is good for one try.
        resetField("captcha");
        shown.refresh();
      }
      if (!takeFieldErrors(error, names, setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <Field
        data-autofocus={!asked || undefined}
        label={t("field.username")}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={fault("username")}
        {...register("username")}
      />
      <PasswordField
        label={t("field.password")}
        autoComplete="current-password"
        error={fault("password")}
        {...register("password")}
      />
      {asked && (
        <CaptchaField
          data-autofocus
          captcha={shown}
          error={fault("captcha")}
          {...register("captcha")}
        />
      )}
      {mayRemember() && (
        <CheckField
          label={t("auth.remember")}
          {...register("remember", {
            onChange: (event: { target: { checked: boolean } }) => {
              if (!event.target.checked) void forget();
            },
          })}
        />
      )}
      <Button type="submit" variant="main" busy={formState.isSubmitting} className="w-full">
        {t("auth.login")}
      </Button>
      {/* There is room for what comes of it, so that nothing below moves. */}
      <div className="grid min-h-17 content-start">
        <FormAlert text={failure} />
        <HumanNote busy={formState.isSubmitting} />
      </div>
    </form>
  );
}
