import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { byFaults } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { usePopups } from "@/lib/popup/popup";
import { AuthenticatorField } from "@/ui/authenticator-field";
import { Button, buttonClass } from "@/ui/button";
import { FormAlert } from "@/ui/form-alert";
import { withdraw } from "../api";
import { loginTwoFactor } from "../api-login";
import { checkFields, required } from "../checks";
import { type Pending, dropPending, firstStepOf, readPending, usePending } from "../pending";
import { useEnter } from "../use-enter";

/** Back to the first step, which leads to where this one would have led. */
function firstStep(pending: Pending | null) {
  const next = pending?.next;
  return { to: "/login", search: next === undefined ? {} : { next } } as const;
}

/** The second step of a log-in. */
export default function TwoFactorPage() {
  const t = useT();
  const current = usePending();
  // A log-in that has succeeded stays on the screen until the page comes that it leads to.
  const [pending, setPending] = useState(current);
  const [over, setOver] = useState<Pending | null>(null);
  if (current && current.ticket !== pending?.ticket) setPending(current);
  return (
    <section className="leaf-lg mx-auto my-8 grid max-w-lg gap-5 border border-line bg-surface p-6 sm:p-10">
      <h1 className="display text-2xl">{t("two_factor.title")}</h1>
      {pending && pending !== over ? (
        <CodeForm key={pending.ticket} pending={pending} onOver={() => setOver(pending)} />
      ) : (
        <Nothing over={over} />
      )}
    </section>
  );
}

/** Nothing is under way; `over` is what was until now. */
function Nothing({ over }: { over: Pending | null }) {
  const t = useT();
  const ref = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (over) ref.current?.focus();
  }, [over]);
  return (
    <>
      <p role={over ? "alert" : undefined} className="text-muted">
        {t("two_factor.nothing")}
      </p>
      <Link ref={ref} {...firstStep(over)} className={buttonClass("main")}>
        {t("two_factor.back")}
      </Link>
    </>
  );
}

function CodeForm({ pending, onOver }: { pending: Pending; onOver: () => void }) {
  const t = useT();
  const enter = useEnter();
  const navigate = useNavigate();
  const [recovery, setRecovery] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError, reset } = useForm<{ code: string }>({
    resolver: byFaults(checkFields<{ code: string }>({ code: required })),
    defaultValues: { code: "" },
  });
  const ref = useRef<HTMLFormElement>(null);
  const popups = usePopups((state) => state.open.length);
  useEffect(() => {
    // The popup that led here gives the focus back when it closes: only then it is ours.
    const field = `input[inputmode="${recovery ? "text" : "numeric"}"]`;
    if (popups === 0) ref.current?.querySelector<HTMLInputElement>(field)?.focus();
  }, [popups, recovery]);
  const message = formState.errors.code?.message;
  const submit = handleSubmit(async ({ code }) => {
    setFailure(null);
    try {
      const view = await loginTwoFactor(pending.ticket, code.replaceAll(/\s/g, ""));
      // Whoever went back meanwhile has given it up.
      if (readPending()?.ticket !== pending.ticket) {
        withdraw(view);
        return onOver();
      }
      await enter(pending.kind, view, { next: pending.next, ...firstStepOf(pending) });
    } catch (error) {
      if (isApiError(error, "session.two_factor_invalid")) {
        const message = recovery ? "error.recovery_code" : "error.two_factor";
        setError("code", { type: "server", message }, { shouldFocus: true });
        return;
      }
      const isUsedUp = isApiError(error, "request.too_many");
      setFailure(isUsedUp ? t("two_factor.too_many") : errorText(error, t));
      if (isApiError(error, "session.ticket_over")) {
        dropPending(pending.ticket);
        onOver();
      }
    }
  });
  const back = () => {
    dropPending(pending.ticket);
    void navigate(firstStep(pending));
  };
  const change = () => {
    setRecovery(!recovery);
    reset();
  };
  return (
    <form ref={ref} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">{t(recovery ? "two_factor.recovery_text" : "two_factor.text")}</p>
      <FormAlert text={failure} />
      <AuthenticatorField
        key={recovery ? "recovery" : "code"}
        label={t(recovery ? "two_factor.recovery_code" : "two_factor.code")}
        {...(recovery && { inputMode: "text", autoComplete: "off" })}
        error={message && t(message as Key)}
        {...register("code")}
      />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("two_factor.go_on")}
      </Button>
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" onClick={change}>
          {t(recovery ? "two_factor.use_code" : "two_factor.use_recovery")}
        </Button>
        <Button variant="quiet" onClick={back}>
          {t("two_factor.back")}
        </Button>
      </div>
    </form>
  );
}
