import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { PasswordField } from "@/ui/field";
import { prove } from "../api";
import { CodeField } from "../code-field";
import { type Faults, codeFault, digitsOf, emptyOnes, useServerForm } from "../form";
import { useMe } from "../session";
import { giveUpProof, useProof } from "./proof";
import { FormFailure } from "../form-failure";

/** Asks who somebody is when a call wants to know; it lies over whatever made the call, and goes when that is left. It is keyed by who is in. */
export function KeepProof() {
  const settle = useProof((state) => state.settle);
  const { history } = useRouter();
  useEffect(() => {
    // What was asked before is nothing to whoever is here now.
    giveUpProof();
    let here = history.location;
    const leave = history.subscribe(({ location }) => {
      // Whoever was asked whether to leave, and stays, is where they were.
      if (location === here) return;
      here = location;
      giveUpProof();
    });
    return () => {
      leave();
      giveUpProof();
    };
  }, [history]);
  return settle && <ProofDialog settle={settle} />;
}

type ProofProps = { settle: (isProved: boolean) => void };

function ProofDialog({ settle }: ProofProps) {
  const t = useT();
  return (
    <Dialog onClose={() => settle(false)}>
      <div className="grid gap-4 p-6">
        <DialogTitle>{t("office.proof_title")}</DialogTitle>
        <p className="text-muted">{t("office.proof_text")}</p>
        <ProofForm settle={settle} />
      </div>
    </Dialog>
  );
}

type Values = { password: string; code: string };
const nothing: Values = { password: "", code: "" };

function check(values: Values): Faults<Values> {
  return { ...codeFault(values.code), ...emptyOnes(values, ["password", "code"]) };
}

function ProofForm({ settle }: ProofProps) {
  const t = useT();
  const me = useMe();
  const form = useServerForm(nothing, check, async ({ password, code }) => {
    await prove({ password, code: digitsOf(code) });
    settle(true);
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
      <FormFailure text={form.failure} />
      <input type="text" hidden readOnly autoComplete="username" value={me.username} />
      <PasswordField
        data-autofocus
        label={t("office.password")}
        autoComplete="current-password"
        error={form.fault("password")}
        {...form.register("password")}
      />
      <CodeField error={form.fault("code")} {...form.register("code")} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="main" busy={form.busy} className="grow">
          {t("office.proof_go_on")}
        </Button>
        <Button onClick={() => settle(false)}>{t("popup.cancel")}</Button>
      </div>
    </form>
  );
}
