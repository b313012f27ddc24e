import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { NumberedSteps, type Step } from "@/ui/numbered-steps";

import { GameRules } from "../components/game-rules";
import { LiveExample } from "../components/live-example";
import { ReturnTable } from "../components/return-table";
import { Formula } from "../components/steps";

const story: readonly Step[] = [
  { title: "fair.story_promise", text: "fair.story_promise_text" },
  { title: "fair.story_yours", text: "fair.story_yours_text" },
  { title: "fair.story_roll", text: "fair.story_roll_text" },
  { title: "fair.story_reveal", text: "fair.story_reveal_text" },
];

/** How outcomes are made and how to check them, in plain words. */
export default function FairnessPage() {
  const t = useT();
  return (
    <article className="grid grid-cols-1 gap-12">
      <header className="grid gap-4">
        <h1 className="display text-3xl sm:text-4xl">{t("fair.title")}</h1>
        <p className="max-w-[62ch] text-lg">{t("fair.lead")}</p>
        <Link to="/verify" className={buttonClass("main", "lg", "w-fit")}>
          {t("fair.check_link")}
        </Link>
      </header>
      <NumberedSteps steps={story} className="grid gap-x-10 gap-y-6 md:grid-cols-2" />
      <Part id="formula" title={t("fair.formula")} text={t("fair.formula_text")}>
        <Formula>{"commitment = hex(SHA-256(serverSeed))"}</Formula>
        <Formula>
          {"block(i) = HMAC-SHA-256(key = serverSeed, message = clientSeed:nonce:game:i)"}
        </Formula>
        <Formula>{"block(i) = word 0 … word 7, 32 bit, big-endian"}</Formula>
        <Formula>{"below(n) = next word < n × floor(2³² ÷ n), mod n"}</Formula>
        <Formula>{"payout = floor(stake × multiple), 0.01"}</Formula>
      </Part>
      <Part id="rules" title={t("fair.rules")} text={t("fair.rules_text")}>
        <GameRules />
      </Part>
      <Part id="returns" title={t("fair.returns")} text={t("fair.returns_text")}>
        <ReturnTable />
      </Part>
      <Part id="example" title={t("fair.example")} text={t("fair.example_text")}>
        <LiveExample />
      </Part>
      <Part id="money" title={t("fair.money")} text={t("fair.money_text")}>
        <div className="flex flex-wrap gap-3">
          <Link to="/transactionHistory" className={buttonClass()}>
            {t("fair.money_record")}
          </Link>
          <Link to="/proof" className={buttonClass()}>
            {t("fair.money_proof")}
          </Link>
        </div>
      </Part>
    </article>
  );
}

type PartProps = { id: string; title: string; text: string; children: ReactNode };

function Part({ id, title, text, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4">
      <h2 id={id} className="display text-2xl">
        {title}
      </h2>
      <p className="max-w-[68ch] text-muted">{text}</p>
      {children}
    </section>
  );
}
