import type { Check } from "@/lib/fair/check";
import type { Replay } from "@/lib/fair/games/games";
import type { GameEvent } from "@/lib/fair/games/rules";
import { tellGame } from "@/lib/fair/names";
import { tellActions, tellChoice } from "@/lib/fair/told/choice";
import { tellDraws } from "@/lib/fair/told/draws";
import { type Context, reelsIn, tellEvent } from "@/lib/fair/told/events";
import { type Said, say } from "@/lib/fair/told/said";
import type { Key, Translate } from "@/lib/i18n/i18n";

import { el, fold } from "./dom";

const verdicts: Readonly<Record<Check["verdict"], { title: Key; text: Key }>> = {
  good: { title: "fair.good", text: "fair.good_text" },
  bad: { title: "fair.bad", text: "fair.bad_text" },
  open: { title: "fair.open", text: "fair.open_text" },
};

/** A checked round with every step of the calculation. */
export function roundView(check: Check, t: Translate): HTMLElement {
  const { title, text } = verdicts[check.verdict];
  const { evidence } = check;
  const choice = tellChoice(evidence.game, evidence.choice);
  const actions = tellActions(evidence.actions).map((action) => say(t, action));
  const bet = [choice ? say(t, choice) : "", ...actions].filter((part) => part !== "").join(" · ");
  return el(
    "section",
    { class: "round" },
    el("h2", {}, say(t, tellGame(evidence.game))),
    bet === "" ? null : el("p", {}, bet),
    el(
      "div",
      { class: `verdict ${check.verdict}`, role: "status" },
      el("strong", {}, t(title)),
      el("p", {}, t(text)),
    ),
    promise(check, t),
    ...(check.replay ? worked(check, check.replay, t) : [refused(t)]),
  );
}

function step(title: string, text: string, ...children: (Node | null)[]): HTMLElement {
  return el("section", { class: "step" }, el("h3", {}, title), el("p", {}, text), ...children);
}

function line(label: string, value: string): HTMLElement {
  return el("p", { class: "line" }, el("span", {}, label), el("code", {}, value));
}

function same(is: boolean | null, t: Translate): HTMLElement | null {
  if (is === null) return null;
  return el("p", { class: is ? "same" : "differs" }, t(is ? "fair.same" : "fair.differs"));
}

function promise(check: Check, t: Translate): HTMLElement {
  const { serverSeed, commitment } = check.evidence;
  return step(
    t("fair.step_promise"),
    t("fair.step_promise_text"),
    line(t("fair.server_seed"), serverSeed),
    line(t("fair.computed_commitment"), check.commitment),
    commitment === null ? null : line(t("fair.commitment"), commitment),
    same(check.sameCommitment, t),
  );
}

function refused(t: Translate): HTMLElement {
  return step(t("fair.step_rules"), t("fair.step_rules_text"), same(false, t));
}

function worked(check: Check, replay: Replay, t: Translate): HTMLElement[] {
  const { claim } = check.evidence;
  const blocks = replay.blocks.flatMap(({ index, message, hex }) => [
    line(t("fair.message"), message),
    line(t("fair.block", index), hex),
  ]);
  const claimed =
    check.samePayout === false && claim
      ? el("p", {}, t("fair.claimed_payout", claim.payout ?? "–"))
      : null;
  return [
    step(
      t("fair.step_block"),
      t("fair.step_block_text"),
      ...blocks.slice(0, 2),
      blocks.length > 2
        ? fold(t("fair.more_blocks", blocks.length / 2 - 1), ...blocks.slice(2))
        : null,
    ),
    step(t("fair.step_draws"), t("fair.step_draws_text"), draws(check, replay, t)),
    step(
      t("fair.step_book"),
      t("fair.step_book_text"),
      book(check, replay, t),
      same(check.sameEvents, t),
    ),
    step(
      t("fair.step_payout"),
      t("fair.step_payout_text"),
      line(t("fair.payout"), replay.payout ?? t("fair.still_open")),
      claimed,
      same(check.samePayout, t),
    ),
  ];
}

function draws({ evidence }: Check, replay: Replay, t: Translate): HTMLElement {
  const decided = tellDraws(evidence.game, replay.drawn);
  const rows = replay.drawn.map(({ n, value, word, thrown }, index) => {
    const told = decided[index];
    const before = thrown > 0 ? ` (${t("fair.draw_thrown", thrown)})` : "";
    return el(
      "tr",
      {},
      el("td", {}, el("code", {}, `${word}`), before),
      el("td", {}, el("code", {}, `mod ${n} = ${value}`)),
      el("td", {}, told ? say(t, told) : ""),
    );
  });
  const head = el(
    "tr",
    {},
    el("th", {}, t("fair.draw_word")),
    el("th", {}, t("fair.draw_number")),
    el("th", {}, t("fair.draw_decided")),
  );
  return el("div", { class: "wide" }, el("table", {}, head, ...rows));
}

function book({ evidence, firstOther }: Check, replay: Replay, t: Translate): HTMLElement {
  const recorded = firstOther === null ? undefined : evidence.claim?.events[firstOther];
  const words = (event: GameEvent) => say(t, tellEvent(event, evidence));
  const items = replay.events.map((event, index) => {
    if (index !== firstOther) return el("li", {}, words(event), reels(event, evidence, t));
    const other = recorded ? t("fair.recorded", words(recorded)) : t("fair.not_recorded");
    return el(
      "li",
      { class: "other" },
      words(event),
      reels(event, evidence, t),
      el("p", {}, other),
    );
  });
  const isLonger = firstOther !== null && firstOther >= replay.events.length && recorded;
  const more = isLonger
    ? el("li", { class: "other" }, t("fair.only_recorded", words(recorded)))
    : null;
  return el("ol", {}, ...items, more);
}

function reels(event: GameEvent, context: Context, t: Translate): HTMLElement | null {
  const rows = reelsIn(event, context);
  if (!rows) return null;
  const cells = (row: readonly Said[]) => row.map((symbol) => el("td", {}, say(t, symbol)));
  return el("table", { class: "reels" }, ...rows.map((row) => el("tr", {}, ...cells(row))));
}
