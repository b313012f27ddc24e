import { useQueryClient } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import { checkFields, required, secret } from "@/features/auth/checks";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { byFaults } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button } from "@/ui/button";
import { CopyText } from "@/ui/copy-text";
import { DialogTitle, useLateFocus } from "@/ui/dialog";
import { Field, PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { Skeleton } from "@/ui/skeleton";
import { beginTwoFactor, confirmTwoFactor } from "../api";
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
  };
  return (
    <div className="grid gap-4 p-6">
      <DialogTitle>{t("security.two_factor")}</DialogTitle>
      {codes ? (
        <RecoveryList codes={codes} onDone={close} />
      ) : secret ? (
        <ConfirmStep secret={secret} onDone={confirmed} />
      ) : (
        <PasswordStep onDone={setSecret} />
      )}
    </div>
  );
}

function PasswordStep({ onDone }: { onDone: (secret: Secret) => void }) {
  const t = useT();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm<{ password: string }>({
    resolver: byFaults(checkFields<{ password: string }>({ password: secret })),
    defaultValues: { password: "" },
  });
  const message = formState.errors.password?.message;
  const submit = handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      onDone(await beginTwoFactor(password));
    } catch (error) {
      setFailure(errorText(error, t));
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
      if (isApiError(error, "session.two_factor_invalid")) {
        setError("code", { type: "server", message: "error.two_factor" }, { shouldFocus: true });
      } else setFailure(errorText(error, t));
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
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("security.two_factor_turn_on")}
      </Button>
    </form>
  );
}
