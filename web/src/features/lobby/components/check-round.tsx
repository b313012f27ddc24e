import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

/** The short way to the check of a round. */
export function CheckRound() {
  const t = useT();
  const navigate = useNavigate();
  const [round, setRound] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const roundId = round.trim();
    void navigate(roundId ? { to: "/verify/$roundId", params: { roundId } } : { to: "/verify" });
  };
  return (
    <form onSubmit={submit} className="leaf-lg grid gap-4 border border-line bg-surface p-5">
      <h2 className="display text-lg">{t("home.check_title")}</h2>
      <Field
        label={t("home.check_label")}
        value={round}
        onChange={(event) => setRound(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit">{t("home.check_go")}</Button>
    </form>
  );
}
