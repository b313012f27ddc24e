import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { isApiError } from "@/lib/api/client";
import { bySchema, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { CheckField, Field, PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { PopupBand } from "@/ui/popup-band";
import { Worded } from "@/ui/worded";
import { register as sendRegistration, registerRulesQuery } from "../api";
import { useEnter } from "../enter";
import { type LoginProps, openLogin } from "../popups";
import { type RegisterForm, type RegisterRules, registerSchema } from "../schema";

const empty: RegisterForm = {
  username: "",
  password: "",
  confirmPassword: "",
  adult: false,
  terms: false,
};
const names = ["username", "password", "confirmPassword", "adult", "terms"] as const;

/** Used until the merchant's own rules are there; the server decides in any case. */
const usual: RegisterRules = {
  username: { minLength: 4, maxLength: 16 },
  password: { minLength: 8, maxLength: 64 },
};

export default function RegisterPopup({ next, close }: LoginProps & { close: () => void }) {
  const t = useT();
  return (
    <>
      <PopupBand />
      <div className="grid grid-cols-1 gap-5 p-6">
        <DialogTitle>{t("auth.register_title")}</DialogTitle>
        <Form next={next} close={close} />
        <p className="text-sm text-muted">
          {t("auth.have_account")}{" "}
          <button
            type="button"
            className="min-h-11 font-semibold text-accent-text underline underline-offset-4"
            onClick={() => {
              openLogin(next);
              close();
            }}
          >
            {t("auth.login")}
          </button>
        </p>
      </div>
    </>
  );
}

function useRules(): RegisterRules {
  const { data } = useQuery(registerRulesQuery);
  return {
    username: data?.["username"] ?? usual.username,
    password: data?.["password"] ?? usual.password,
  };
}

function Form({ next, close }: { next: string | undefined; close: () => void }) {
  const t = useT();
  const enter = useEnter();
  const rules = useRules();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError, reset } = useForm<RegisterForm>({
    resolver: bySchema(registerSchema(rules)),
    defaultValues: empty,
  });
  const fault = (name: keyof RegisterForm) => {
    const message = formState.errors[name]?.message;
    if (!message) return undefined;
    const { minLength, maxLength } = name === "username" ? rules.username : rules.password;
    return t(message as Key, minLength, maxLength);
  };
  const submit = handleSubmit(async (form) => {
    setFailure(null);
    try {
      await enter("register", await sendRegistration(form), next);
      close();
    } catch (error) {
      if (takeFieldErrors(error, names, setError)) return;
      if (isApiError(error, "member.name_taken")) {
        setError("username", { type: "server", message: "field.taken" }, { shouldFocus: true });
      } else setFailure(errorText(error, t));
    }
  });
  const clear = () => {
    reset(empty);
    setFailure(null);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <FormAlert text={failure} />
      <Field
        data-autofocus
        label={t("field.username")}
        hint={t("auth.username_hint", rules.username.minLength, rules.username.maxLength)}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={fault("username")}
        {...register("username")}
      />
      <PasswordField
        label={t("field.password")}
        hint={t("auth.password_hint", rules.password.minLength)}
        autoComplete="new-password"
        error={fault("password")}
        {...register("password")}
      />
      <PasswordField
        label={t("field.confirm_password")}
        autoComplete="new-password"
        error={fault("confirmPassword")}
        {...register("confirmPassword")}
      />
      <div className="grid gap-2">
        <CheckField label={t("auth.adult")} error={fault("adult")} {...register("adult")} />
        <CheckField label={<TermsText />} error={fault("terms")} {...register("terms")} />
      </div>
      <div className="flex gap-3">
        <Button onClick={clear}>{t("auth.reset")}</Button>
        <Button type="submit" variant="main" busy={formState.isSubmitting} className="grow">
          {t("auth.register")}
        </Button>
      </div>
    </form>
  );
}

/** The links open a page of their own, so that what was typed stays. */
function TermsText() {
  const t = useT();
  const look = "font-semibold underline underline-offset-4";
  return (
    <Worded text={t("auth.terms")}>
      <a href="/terms#terms" target="_blank" rel="noopener" className={look}>
        {t("auth.terms_link")}
      </a>
      <a href="/terms#privacy" target="_blank" rel="noopener" className={look}>
        {t("auth.privacy_link")}
      </a>
    </Worded>
  );
}
