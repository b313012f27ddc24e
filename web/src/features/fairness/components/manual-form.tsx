import { type FormEvent, useState } from "react";

import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

import { type Evidence, type Typed, type TypedField, readTyped } from "../model";

const empty: Typed = {
  serverSeed: "",
  commitment: "",
  clientSeed: "",
  nonce: "0",
  target: "50.00",
  direction: "under",
  stake: "10",
};

const TEXTS: Readonly<Record<TypedField, { label: Key; wrong: Key }>> = {
  serverSeed: { label: "fair.server_seed", wrong: "fair.server_seed_wrong" },
  commitment: { label: "fair.commitment", wrong: "fair.commitment_wrong" },
  clientSeed: { label: "fair.client_seed", wrong: "fair.client_seed_wrong" },
  nonce: { label: "fair.nonce", wrong: "fair.nonce_wrong" },
  target: { label: "fair.target", wrong: "fair.target_wrong" },
  stake: { label: "fair.stake", wrong: "fair.stake_wrong" },
};

/** Takes the data of any round by hand: nothing is sent anywhere. */
export function ManualForm({ onCheck }: { onCheck: (evidence: Evidence) => void }) {
  const t = useT();
  const [typed, setTyped] = useState(empty);
  const [wrong, setWrong] = useState<readonly TypedField[]>([]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readTyped(typed);
    setWrong("wrong" in read ? read.wrong : []);
    if ("evidence" in read) onCheck(read.evidence);
  };
  const field = (name: TypedField) => ({
    label: t(TEXTS[name].label),
    error: wrong.includes(name) ? t(TEXTS[name].wrong) : undefined,
    value: typed[name],
    autoComplete: "off",
    spellCheck: false,
    onChange: (event: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: event.target.value }),
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4 sm:grid-cols-2">
      <Field {...field("serverSeed")} className="sm:col-span-2" />
      <Field {...field("commitment")} hint={t("fair.optional")} className="sm:col-span-2" />
      <Field {...field("clientSeed")} />
      <Field {...field("nonce")} inputMode="numeric" />
      <SideSelect
        value={typed.direction}
        onChange={(direction) => setTyped({ ...typed, direction })}
      />
      <Field {...field("target")} inputMode="decimal" />
      <Field {...field("stake")} inputMode="decimal" />
      <Button type="submit" className="self-end">
        {t("fair.compute")}
      </Button>
    </form>
  );
}

type SideSelectProps = {
  value: Typed["direction"];
  onChange: (direction: Typed["direction"]) => void;
};

function SideSelect({ value, onChange }: SideSelectProps) {
  const t = useT();
  return (
    <label className="grid gap-1.5 text-sm text-muted">
      {t("fair.side")}
      <select
        value={value}
        onChange={(event) => onChange(event.target.value === "over" ? "over" : "under")}
        className="min-h-12 rounded-xs border border-line-strong bg-canvas px-3.5 text-base text-ink"
      >
        <option value="under">{t("fair.under")}</option>
        <option value="over">{t("fair.over")}</option>
      </select>
    </label>
  );
}
