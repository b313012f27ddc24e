import { useQueryClient } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import { checkFields, required } from "@/features/auth/checks";
import { stepUpFault } from "@/features/auth/step-up";
import { byFaults, takeRefusal } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button } from "@/ui/button";
import { CopyText } from "@/ui/copy-text";
import { DialogTitle, useLateFocus } from "@/ui/dialog";
import { Field, PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { Skeleton } from "@/ui/skeleton";
import { beginTwoFactor, confirmTwoFactor, devicesQuery } from "../api";
import { PasswordGate } from "./password-gate";
import { RecoveryList } from "./recovery-list";

const QrCode = lazy(() => loadPart(() => import("@/ui/qr-code")));

type Secret = { secret: string; url: string };

/** Sets the second step up: the password, then the code of the app, then the codes for a lost phone. */
export default function TwoFactorOnPopup({ close }: { close: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const confirmed = (recovery: string[]) => {
    setCodes(recovery);
    void client.invalidateQueries({ queryKey: memberQuery.queryKey });
    // The other sessions, which were begun without the second step, have ended.
    void client.invalidateQueries({ queryKey: devicesQuery.queryKey });
  };
  return (
    <div className="grid gap-4 p-6">
      <DialogTitle>{t("security.two_factor")}</DialogTitle>
      {codes ? (
        <RecoveryList codes={codes} onDone={close} />
      ) : secret ? (
        <ConfirmStep secret={secret} onDone={confirmed} />
      ) : (
        <PasswordGate close={close}>
          <PasswordStep onDone={setSecret} />
        </PasswordGate>
      )}
    </div>
  );
}

function PasswordStep({ onDone }: { onDone: (secret: Secret) => void }) {
  const t = useT();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<{ password: string }>({
    resolver: byFaults(checkFields<{ password: string }>({ password: required })),
    defaultValues: { password: "" },
  });
  const message = formState.errors.password?.message;
  const submit = handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      onDone(await beginTwoFactor(password.trim()));
    } catch (error) {
      const isSaid = takeRefusal(error, { "member.wrong_password": "password" }, setError);
      if (!isSaid) setFailure(t(stepUpFault(error)));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">{t("security.two_factor_password")}</p>
      <FormAlert text={failure} />
      <PasswordField
        data-autofocus
        label={t("security.login_password")}
        autoComplete="current-password"
        error={message && t(message as Key)}
        {...register("password")}
      />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("two_factor.go_on")}
      </Button>
    </form>
  );
}

function ConfirmStep({ secret, onDone }: { secret: Secret; onDone: (codes: string[]) => void }) {
  const t = useT();
  const ref = useLateFocus<HTMLFormElement>();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<{ code: string }>({
    resolver: byFaults(checkFields<{ code: string }>({ code: required })),
    defaultValues: { code: "" },
  });
  const message = formState.errors.code?.message;
  const submit = handleSubmit(async ({ code }) => {
    setFailure(null);
    try {
      onDone(await confirmTwoFactor(code.replaceAll(/\s/g, "")));
    } catch (error) {
      const isSaid = takeRefusal(error, { "session.two_factor_invalid": "code" }, setError);
      if (!isSaid) setFailure(t(stepUpFault(error)));
    }
  });
  return (
    <form ref={ref} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">{t("security.two_factor_scan")}</p>
      <Suspense fallback={<Skeleton className="size-48 justify-self-center" />}>
        <QrCode text={secret.url} label={t("security.two_factor_qr")} />
      </Suspense>
      <CopyText label={t("security.two_factor_secret")} value={secret.secret} />
      <FormAlert text={failure} />
      <Field
        data-autofocus
        label={t("two_factor.code")}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={message && t(message as Key)}
        {...register("code")}
      />
      <p className="text-sm text-muted">{t("security.two_factor_others")}</p>
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("security.two_factor_turn_on")}
      </Button>
    </form>
  );
}
