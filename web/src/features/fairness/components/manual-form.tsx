import { type FormEvent, useState } from "react";

import type { Evidence } from "@/lib/fair/check";
import { type GameCode, gameCodes, tellGame } from "@/lib/fair/names";
import { say } from "@/lib/fair/told/said";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

import { type Typed, type TypedField, emptyForm, readTyped } from "../typed";
import { Choose } from "./choose";

const TEXTS: Readonly<Record<TypedField, { label: Key; wrong: Key; hint?: Key }>> = {
  serverSeed: { label: "fair.server_seed", wrong: "fair.server_seed_wrong" },
  commitment: { label: "fair.commitment", wrong: "fair.commitment_wrong", hint: "fair.optional" },
  clientSeed: { label: "fair.client_seed", wrong: "fair.client_seed_wrong" },
  nonce: { label: "fair.nonce", wrong: "fair.nonce_wrong" },
  stake: { label: "fair.stake", wrong: "fair.stake_wrong" },
  target: { label: "fair.target", wrong: "fair.target_wrong" },
  height: { label: "fair.height", wrong: "fair.height_wrong" },
  mines: { label: "fair.mines", wrong: "fair.mines_wrong" },
  tiles: { label: "fair.tiles", wrong: "fair.tiles_wrong", hint: "fair.tiles_hint" },
  guesses: { label: "fair.guesses", wrong: "fair.guesses_wrong", hint: "fair.guesses_hint" },
  picks: { label: "fair.picks", wrong: "fair.picks_wrong" },
};

/** The fields of each game besides seeds and stake. */
const OWN: Partial<Record<GameCode, readonly (TypedField | keyof typeof SELECTS | "stopped")[]>> = {
  dice: ["direction", "target"],
  limbo: ["height"],
  mines: ["mines", "tiles", "stopped"],
  plinko: ["rows", "risk"],
  hilo: ["guesses", "stopped"],
  wheel: ["segments", "risk"],
  keno: ["picks"],
};

const plain = (...values: string[]) => values.map((value) => ({ value, text: null }));
const SELECTS = {
  direction: {
    label: "fair.side",
    options: [
      { value: "under", text: "fair.under" },
      { value: "over", text: "fair.over" },
    ],
  },
  rows: { label: "fair.rows", options: plain("8", "12", "16") },
  segments: { label: "fair.segments", options: plain("10", "20", "30", "40", "50") },
  risk: {
    label: "fair.risk",
    options: [
      { value: "low", text: "told.risk_low" },
      { value: "medium", text: "told.risk_medium" },
      { value: "high", text: "told.risk_high" },
    ],
  },
} as const satisfies Record<
  string,
  { label: Key; options: readonly { value: string; text: Key | null }[] }
>;

/** Takes the data of a round of any game by hand: nothing is sent anywhere. */
export function ManualForm({ onCheck }: { onCheck: (evidence: Evidence) => void }) {
  const t = useT();
  const [typed, setTyped] = useState(emptyForm);
  const [wrong, setWrong] = useState<readonly TypedField[]>([]);
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readTyped(typed);
    setWrong("wrong" in read ? read.wrong : []);
    if ("evidence" in read) onCheck(read.evidence);
  };
  const field = (name: TypedField, className = "") => {
    const { label, wrong: fault, hint } = TEXTS[name];
    return (
      <Field
        key={name}
        label={t(label)}
        error={wrong.includes(name) ? t(fault) : undefined}
        hint={hint && t(hint)}
        value={typed[name]}
        autoComplete="off"
        spellCheck={false}
        className={className}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    );
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4 sm:grid-cols-2">
      <Choose
        label={t("fair.game")}
        value={typed.game}
        options={gameCodes.map((code) => ({ value: code, text: say(t, tellGame(code)) }))}
        onChange={(game) => change({ game: game as GameCode })}
      />
      {field("stake")}
      {OWN[typed.game]?.map((name) => {
        if (name === "stopped")
          return <Stopped key={name} value={typed.stopped} onChange={change} />;
        if (!isSelect(name)) return field(name);
        const { label, options } = SELECTS[name];
        const texts = options.map(({ value, text }) => ({ value, text: text ? t(text) : value }));
        return (
          <Choose
            key={name}
            label={t(label)}
            value={typed[name]}
            options={texts}
            onChange={(value) => change({ [name]: value })}
          />
        );
      })}
      {field("serverSeed", "sm:col-span-2")}
      {field("commitment", "sm:col-span-2")}
      {field("clientSeed")}
      {field("nonce")}
      <Button type="submit" className="justify-self-start">
        {t("fair.compute")}
      </Button>
    </form>
  );
}

const isSelect = (name: string): name is keyof typeof SELECTS => Object.hasOwn(SELECTS, name);

type StoppedProps = { value: boolean; onChange: (part: Partial<Typed>) => void };

function Stopped({ value, onChange }: StoppedProps) {
  const t = useT();
  return (
    <label className="flex min-h-12 items-center gap-3 self-end">
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => onChange({ stopped: event.target.checked })}
        className="size-5 accent-accent"
      />
      {t("fair.stopped")}
    </label>
  );
}
