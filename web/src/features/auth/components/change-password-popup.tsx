import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { storeToken } from "@/lib/api/token";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { PopupBand } from "@/ui/popup-band";
import { toast } from "@/ui/toast";
import { memberQuery } from "../api";
import { changePassword } from "../api-login";
import { checkFields, checkRepeated, required } from "../checks";
import { useLeave } from "../enter";
import { usePasswordRule } from "../field-rules";
import type { ChangePasswordProps } from "../popups";

type Values = { oldPassword: string; newPassword: string; confirmPassword: string };
const names = ["oldPassword", "newPassword", "confirmPassword"] as const;

/** A new password for whoever is logged in. One that must be changed lets nobody stay without the change. */
export default function ChangePasswordPopup(props: ChangePasswordProps & { close: () => void }) {
  const { forced, close } = props;
  const held = forced?.held;
  const t = useT();
  const done = useLeaveUnlessDone(forced !== undefined);
  const client = useQueryClient();
  const navigate = useNavigate();
  const rule = usePasswordRule();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults((values) => ({
      ...(held === undefined && checkFields<Values>({ oldPassword: required })(values)),
      ...checkRepeated("newPassword", "confirmPassword", rule.check)(values),
    })),
    defaultValues: { oldPassword: "", newPassword: "", confirmPassword: "" },
  });
  const fault = (name: keyof Values) => rule.say(formState.errors[name]?.message);
  const submit = handleSubmit(async ({ oldPassword, newPassword }) => {
    setFailure(null);
    try {
      const { token } = await changePassword((held ?? oldPassword).trim(), newPassword.trim());
      done();
      storeToken(token);
      await client.fetchQuery({ ...memberQuery, staleTime: 0 });
      close();
      if (forced) await navigate({ href: forced.next });
      toast(t("password.changed"), "good");
    } catch (error) {
      if (takeFieldErrors(error, names, setError)) return;
      if (isApiError(error, "member.wrong_password") && held === undefined) {
        const message = "error.wrong_password";
        setError("oldPassword", { type: "server", message }, { shouldFocus: true });
      } else setFailure(errorText(error, t));
    }
  });
  return (
    <>
      <PopupBand />
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid grid-cols-1 gap-4 p-6"
      >
        <DialogTitle>{t("password.change_title")}</DialogTitle>
        <p className="text-muted">{t(forced ? "password.must_change" : "password.change_text")}</p>
        <FormAlert text={failure} />
        {held === undefined && (
          <PasswordField
            data-autofocus
            label={t("field.old_password")}
            autoComplete="current-password"
            error={fault("oldPassword")}
            {...register("oldPassword")}
          />
        )}
        <PasswordField
          {...(held !== undefined && { "data-autofocus": true })}
          label={t("field.new_password")}
          autoComplete="new-password"
          hint={rule.hint}
          error={fault("newPassword")}
          {...register("newPassword")}
        />
        <PasswordField
          label={t("field.confirm_password")}
          autoComplete="new-password"
          error={fault("confirmPassword")}
          {...register("confirmPassword")}
        />
        <Button type="submit" variant="main" busy={formState.isSubmitting}>
          {t("password.change")}
        </Button>
      </form>
    </>
  );
}

/** Ends the session where a popup that must be answered goes away without an answer. */
function useLeaveUnlessDone(forced: boolean): () => void {
  const leave = useLeave();
  const open = useRef(forced);
  const way = useRef(leave);
  useEffect(() => {
    way.current = leave;
  });
  useEffect(() => {
    let mounted = true;
    return () => {
      mounted = false;
      // React mounts twice while developing: only what stays away is gone.
      setTimeout(() => {
        if (!mounted && open.current) void way.current();
      });
    };
  }, []);
  return () => {
    open.current = false;
  };
}
