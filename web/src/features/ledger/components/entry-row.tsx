import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { getBoot } from "@/lib/boot/boot";
import { type Translate, useT } from "@/lib/i18n/i18n";
import type { Transfer } from "@/lib/ledger/transfer";
import { shortHash, shortNumber } from "@/lib/short";
import { clockText } from "@/lib/time";
import { CopyText } from "@/ui/copy-text";
import { Icon } from "@/ui/icon";

import { type Told, tell } from "../model";
import { accountName } from "../reasons";
import { useSumText } from "./sum";

/** One transfer: what happened, when, how much and what is left; more when it is opened. */
export function EntryRow({ row }: { row: Transfer }) {
  const t = useT();
  const sumText = useSumText();
  const told = tell(row);
  const amount = sumText(row.amount, row.currency);
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-14 items-center gap-3 px-1 py-2.5 hover:bg-raised [&::-webkit-details-marker]:hidden">
          <span className="grid min-w-0 grow gap-0.5">
            <span className="font-semibold">{t(told.sentence, ...told.args)}</span>
            <time dateTime={row.at} className="text-sm text-muted">
              {clockText(new Date(row.at), getBoot().merchant.timeZone)}
            </time>
          </span>
          <span className="grid shrink-0 justify-items-end gap-0.5">
            <span className={`figures text-lg ${told.way === "in" ? "text-win" : ""}`}>
              {t(told.way === "in" ? "ledger.amount_in" : "ledger.amount_out", amount)}
            </span>
            <After told={told} currency={row.currency} />
          </span>
          <Icon
            name="down"
            className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180"
          />
        </summary>
        <Details row={row} roundId={told.roundId} />
      </details>
    </li>
  );
}

function After({ told, currency }: { told: Told; currency: string }) {
  const t = useT();
  const sumText = useSumText();
  if (told.after === null) return null;
  const after = sumText(told.after, currency);
  return (
    <span className="max-w-44 text-right text-sm text-muted">
      {told.account === "main"
        ? t("ledger.after", after)
        : t("ledger.after_on", accountText(told.account, t), after)}
    </span>
  );
}

function Details({ row, roundId }: { row: Transfer; roundId: string | null }) {
  const t = useT();
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-1 px-1 pt-1 pb-4">
      <Fact label={t("ledger.from")}>{accountText(row.debit, t)}</Fact>
      <Fact label={t("ledger.to")}>{accountText(row.credit, t)}</Fact>
      <Fact wide label={t("ledger.exact")}>
        <code className="font-mono text-sm wrap-anywhere">{row.at}</code>
      </Fact>
      <Fact label={t("ledger.number")}>
        <code className="font-mono text-sm">{row.seq}</code>
      </Fact>
      {row.reverses !== null && (
        <Fact label={t("ledger.undoes")}>
          <code className="font-mono text-sm">{row.reverses}</code>
        </Fact>
      )}
      <Fact label={t("ledger.hash")}>
        <CopyText label={t("ledger.hash")} value={row.hash} short={shortHash(row.hash)} />
      </Fact>
      <Fact wide label={t("ledger.reference")}>
        <CopyText
          label={t("ledger.reference")}
          value={row.reference}
          short={shortNumber(row.reference)}
        />
        {roundId && (
          <Link
            to="/verify/$roundId"
            params={{ roundId }}
            className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
          >
            {t("ledger.round")}
          </Link>
        )}
      </Fact>
    </dl>
  );
}

type FactProps = { label: string; wide?: boolean; children: ReactNode };

/** What is wide gets a line of its own where two do not fit beside each other. */
function Fact({ label, wide = false, children }: FactProps) {
  return (
    <div className={`grid min-w-0 content-start ${wide ? "col-span-2 sm:col-span-1" : ""}`}>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="flex min-h-9 min-w-0 flex-wrap items-center gap-x-3">{children}</dd>
    </div>
  );
}

function accountText(account: string, t: Translate): string {
  const { key, name, demo } = accountName(account);
  const text = t(key, name);
  return demo ? t("ledger.account_demo", text) : text;
}
