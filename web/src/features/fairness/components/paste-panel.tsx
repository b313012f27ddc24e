import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";

import type { Evidence } from "@/lib/fair/check";
import { type Checked, checkAll } from "@/lib/fair/check-all";
import { type Found, readRounds } from "@/lib/fair/evidence";
import { tellGame } from "@/lib/fair/names";
import { say } from "@/lib/fair/told/said";
import { useT } from "@/lib/i18n/i18n";
import { shortNumber } from "@/lib/short";
import { Button } from "@/ui/button";
import { FieldError, fieldBox } from "@/ui/field";
import { Icon } from "@/ui/icon";
import { Skeleton } from "@/ui/skeleton";

/** More results than this are counted, not listed. */
const LISTED = 100;

export type EvidenceView = (props: { evidence: Evidence }) => ReactNode;

/** Takes rounds as text, one or a whole file of them, and checks them all. */
export function PastePanel({ View }: { View: EvidenceView }) {
  const t = useT();
  const id = useId();
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly Found[]>([]);
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readRounds(text);
    const isNothing = read === null || read.found.length === 0;
    setFault(isNothing ? t("fair.paste_wrong") : undefined);
    setFound(isNothing ? [] : read.found);
  };
  return (
    <div className="grid min-w-0 gap-5">
      <form onSubmit={submit} className="grid gap-1.5">
        <label htmlFor={id} className="text-sm text-muted">
          {t("fair.paste")}
        </label>
        <textarea
          id={id}
          rows={5}
          value={text}
          spellCheck={false}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-error` : undefined}
          onChange={(event) => setText(event.target.value)}
          className={`${fieldBox} py-3 font-mono text-sm`}
        />
        <FieldError id={`${id}-error`} text={fault} />
        <Button type="submit" className="mt-2 justify-self-start">
          {t("fair.check_now")}
        </Button>
      </form>
      {found.length > 0 && <Results found={found} View={View} />}
    </div>
  );
}

function Results({ found, View }: { found: readonly Found[]; View: EvidenceView }) {
  const t = useT();
  const [chosen, setChosen] = useState(0);
  const { data } = useQuery({
    queryKey: ["fair", "pasted", found] as const,
    queryFn: () => checkAll(found),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!data) return <Skeleton className="h-40" />;
  const count = (state: Checked["state"]) => data.filter((one) => one.state === state).length;
  const shown = data[Math.min(chosen, data.length - 1)];
  return (
    <div className="grid min-w-0 gap-5">
      <p role="status" className="text-lg font-semibold">
        {t("fair.pasted", data.length, count("good"), count("bad"), count("secret"))}
      </p>
      {data.length > 1 && (
        <ul className="grid max-h-80 divide-y divide-line overflow-y-auto border-y border-line">
          {data.slice(0, LISTED).map((one, index) => (
            <li key={index}>
              <button
                type="button"
                aria-current={index === chosen ? "true" : undefined}
                onClick={() => setChosen(index)}
                className={`flex min-h-11 w-full items-center gap-3 px-2 text-left hover:bg-raised ${index === chosen ? "bg-raised" : ""}`}
              >
                <Mark state={one.state} />
                {say(t, tellGame(one.found.game))}
                <code className="ml-auto font-mono text-sm text-muted">
                  {shortNumber(one.found.id ?? String(index + 1))}
                </code>
              </button>
            </li>
          ))}
        </ul>
      )}
      {shown?.found.evidence && <View evidence={shown.found.evidence} />}
    </div>
  );
}

const MARKS = {
  good: { icon: "check", tone: "text-win", text: "fair.good" },
  bad: { icon: "alert", tone: "text-live-text", text: "fair.bad" },
  open: { icon: "info", tone: "text-muted", text: "fair.open" },
  secret: { icon: "lock", tone: "text-muted", text: "fair.secret" },
} as const;

function Mark({ state }: { state: Checked["state"] }) {
  const t = useT();
  const { icon, tone, text } = MARKS[state];
  return (
    <>
      <Icon name={icon} className={`size-5 shrink-0 ${tone}`} />
      <span className="sr-only">{t(text)}</span>
    </>
  );
}
