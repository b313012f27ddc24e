import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import en from "@/locales/en/told.json";
import fil from "@/locales/fil/told.json";

import { checkEvidence, isSame } from "./check";
import { evidenceOf, readRounds } from "./evidence";
import { gameCodes } from "./names";
import { commitmentOf } from "./stream";
import { tellActions, tellChoice } from "./told/choice";
import { tellDraws } from "./told/draws";
import { tellEvent } from "./told/events";
import { type Said, say } from "./told/said";
import { summaryOf } from "./told/summary";

type Event = { type: string } & Record<string, unknown>;
type Case = {
  game: string;
  choice: unknown;
  actions: unknown[];
  serverSeed: string;
  clientSeed: string;
  nonce: number;
  stake: string;
  most: string;
  events: Event[];
  payout: string | null;
};
const cases = JSON.parse(
  readFileSync(new URL("../../../../vectors/games.json", import.meta.url), "utf8"),
) as Case[];

/** A case of the shared examples as the server would tell it. */
async function roundOf(one: Case) {
  const { serverSeed, clientSeed } = one;
  return {
    id: `${one.game}-${one.nonce}`,
    gameCode: one.game,
    stake: one.stake,
    payout: one.payout ?? "0",
    most: one.most,
    choice: one.choice,
    actions: one.actions,
    book: one.events,
    state: one.payout === null ? ("open" as const) : ("over" as const),
    seed: { commitment: await commitmentOf(serverSeed), clientSeed, serverSeed },
    nonce: one.nonce,
  };
}
type Round = Awaited<ReturnType<typeof roundOf>>;

async function check(round: Round) {
  const evidence = evidenceOf(round);
  if (!evidence) throw new Error("no evidence");
  return checkEvidence(evidence);
}

const of = (game: string) => cases.filter((one) => one.game === game);
const first = (game: string): Case => {
  const [one] = of(game);
  if (!one) throw new Error(`no round of ${game}`);
  return one;
};

describe.each(gameCodes)("the check of a round of %s", (game) => {
  it("agrees with honest rounds", async () => {
    for (const one of of(game).slice(0, 12)) {
      const { verdict, firstOther } = await check(await roundOf(one));
      expect({ verdict, firstOther }, `${one.nonce}`).toEqual({
        verdict: "good",
        firstOther: null,
      });
    }
  });

  it("finds what was changed, and says where", async () => {
    const honest = await roundOf(first(game));
    const last = honest.book.length - 1;
    const changed = honest.book.map((event, at) =>
      at === last ? { ...event, extra: true } : event,
    );
    expect(await check({ ...honest, book: changed })).toMatchObject({
      verdict: "bad",
      firstOther: last,
      sameCommitment: true,
    });
    const shorter = { ...honest, book: honest.book.slice(0, -1) };
    expect(await check(shorter)).toMatchObject({ verdict: "bad", firstOther: last });
    const richer = { ...honest, payout: "123456.78", state: "over" as const };
    expect(await check(richer)).toMatchObject({ verdict: "bad", samePayout: false });
    const other = { ...honest, seed: { ...honest.seed, serverSeed: "11".repeat(32) } };
    expect(await check(other)).toMatchObject({ verdict: "bad", sameCommitment: false });
  });
});

describe("the check of anything else", () => {
  it("does not agree with a game that it does not know, or with a choice that the rules refuse", async () => {
    const honest = await roundOf(first("keno"));
    for (const bad of [
      { ...honest, gameCode: "roulette" },
      { ...honest, choice: { picks: [] } },
      { ...honest, choice: null },
      { ...honest, gameCode: "mines", choice: { mines: 3 }, actions: [{ pick: 99 }] },
      { ...honest, gameCode: "hilo", actions: ["cashOut"] },
    ]) {
      expect(await check(bad)).toMatchObject({ verdict: "bad", replay: null });
    }
  });

  it("leaves the question open when nothing is claimed or promised", async () => {
    const { serverSeed, clientSeed, nonce, game, choice, actions, stake, most } = first("wheel");
    const evidence = { serverSeed, clientSeed, nonce, game, choice, actions, stake, most };
    const open = await checkEvidence({ ...evidence, commitment: null, claim: null });
    expect(open.verdict).toBe("open");
    expect(open.replay?.payout).toBe(first("wheel").payout);
    const { seed, ...rest } = await roundOf(first("wheel"));
    const unpromised = readRounds(JSON.stringify({ ...rest, ...seed, commitment: null }));
    const [found] = unpromised?.found ?? [];
    if (!found?.evidence) throw new Error("no evidence");
    expect(await checkEvidence(found.evidence)).toMatchObject({
      verdict: "open",
      sameEvents: true,
    });
  });

  it("has no evidence while the seed is secret", async () => {
    const honest = await roundOf(first("dice"));
    expect(evidenceOf({ ...honest, seed: { ...honest.seed, serverSeed: null } })).toBeNull();
  });

  it("compares values whatever the order of their fields", () => {
    expect(isSame({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
    expect([isSame([1, 2], [2, 1]), isSame({ a: 1 }, {}), isSame(null, {})]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("rounds in a text", () => {
  it("are found alone, in lists and in answers, and in the shared examples", async () => {
    const round = await roundOf(first("mines"));
    for (const shape of [round, [round], { content: [round] }, { rounds: [round] }]) {
      const read = readRounds(JSON.stringify({ success: true, value: shape }));
      expect(read?.found.map(({ evidence }) => evidence)).toEqual([evidenceOf(round)]);
    }
    expect(readRounds(JSON.stringify(cases))?.found).toHaveLength(cases.length);
    expect(readRounds(JSON.stringify(cases))?.others).toBe(0);
  });

  it("are told apart from what is none", async () => {
    expect(readRounds("{")).toBeNull();
    const round = await roundOf(first("dice"));
    const bad = [
      null,
      7,
      "x",
      {},
      { ...round, stake: 10 },
      { ...round, nonce: -1 },
      { ...round, seed: { ...round.seed, serverSeed: "zz" } },
      { ...round, most: "a lot" },
      { ...round, gameCode: null },
    ];
    expect(readRounds(JSON.stringify(bad))).toEqual({ found: [], others: bad.length });
    const secret = { ...round, seed: { ...round.seed, serverSeed: null } };
    expect(readRounds(JSON.stringify([secret]))?.found).toEqual([
      { id: round.id, game: "dice", evidence: null },
    ]);
  });
});

describe.each([
  ["English", en],
  ["Tagalog", fil],
])("words for rounds in %s", (_, texts: Record<string, string>) => {
  const words = (sentence: Said) =>
    say((key, ...args) => {
      const text = texts[key];
      if (text === undefined) throw new Error(`no words for ${key}`);
      return text.replace(/\{(\d+)\}/g, (whole, at: string) => String(args[Number(at)] ?? whole));
    }, sentence);

  it("tell every choice, action, draw, event and end of the shared examples", async () => {
    for (const one of cases) {
      const { replay } = await check(await roundOf(one));
      if (!replay) throw new Error("no replay");
      const choice = tellChoice(one.game, one.choice);
      const draws = tellDraws(one.game, replay.drawn);
      expect(draws).toHaveLength(replay.drawn.length);
      const summary = summaryOf({ gameCode: one.game, choice: one.choice, book: one.events });
      const events = one.events.map((event) => tellEvent(event, one));
      const all = [...(choice ? [choice] : []), ...tellActions(one.actions), ...draws, ...events];
      for (const sentence of [...all, summary]) {
        const text = words(sentence);
        expect(text, `${one.game} ${sentence.key}`).not.toMatch(/undefined|NaN|\{\d|\[object/);
        expect(sentence.key, text).not.toBe("told.plain");
      }
    }
  });

  it("tell what they do not know as it stands", () => {
    expect(words(tellEvent({ type: "dance", on: "the table" }, first("dice")))).toContain("dance");
    expect(words(summaryOf({ gameCode: "roulette", choice: null, book: [] }))).toBe("–");
  });
});
