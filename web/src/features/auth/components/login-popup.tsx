import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { isSwitchedOn } from "@/lib/boot/boot";
import { bySchema, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { Field, PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { PopupBand } from "@/ui/popup-band";
import { login } from "../api";
import { useEnter } from "../enter";
import { type LoginProps, openRegister } from "../popups";
import { loginSchema } from "../schema";
import { FreePlay } from "./free-play";

type Values = { username: string; password: string };
const names = ["username", "password"] as const;

export default function LoginPopup({ next, close }: LoginProps & { close: () => void }) {
  const t = useT();
  return (
    <>
      <PopupBand />
      <div className="grid grid-cols-1 gap-5 p-6">
        <DialogTitle>{t("auth.login_title")}</DialogTitle>
        <LoginForm next={next} close={close} />
        {isSwitchedOn("USERNAMEREG3") && (
          <p className="text-sm text-muted">
            {t("auth.no_account")}{" "}
            <button
              type="button"
              className="min-h-11 font-semibold text-accent-text underline underline-offset-4"
              onClick={() => {
                openRegister(next);
                close();
              }}
            >
              {t("auth.register_now")}
            </button>
          </p>
        )}
        <FreePlay next={next} close={close} />
      </div>
    </>
  );
}

function LoginForm({ next, close }: { next: string | undefined; close: () => void }) {
  const t = useT();
  const enter = useEnter();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: bySchema(loginSchema),
    defaultValues: { username: "", password: "" },
  });
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key);
  };
  const submit = handleSubmit(async ({ username, password }) => {
    setFailure(null);
    try {
      await enter("login", await login(username, password), next);
      close();
    } catch (error) {
      if (!takeFieldErrors(error, names, setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
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
      <PasswordField
        label={t("field.password")}
        autoComplete="current-password"
        error={fault("password")}
        {...register("password")}
      />
      <Button type="submit" variant="main" busy={formState.isSubmitting} className="w-full">
        {t("auth.login")}
      </Button>
    </form>
  );
}
