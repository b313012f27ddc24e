// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import words from "@/locales/en/games/table.json";

import type { Action, GameRound, InitMessage } from "../protocol";
import { type Game, type Scene, defineGame } from "./game";
import type { Link, Listeners, Outcome } from "./link";
import { Table } from "./table";

// The canvas needs a graphics card: without one the table goes on in plain DOM, which is what is looked at here.
vi.mock("./canvas", () => ({ openCanvas: () => Promise.reject(new Error("no WebGL")) }));

const round = (more: Partial<GameRound>): GameRound => ({
  id: "r1",
  gameCode: "test",
  stake: "10",
  payout: "0",
  choice: {},
  actions: [],
  book: [],
  state: "over",
  cashOut: null,
  jackpot: null,
  ...more,
});

const init: InitMessage = {
  type: "init",
  game: "test",
  lang: "en",
  theme: "dark",
  currency: "PHP",
  balance: { balance: "100", currency: "PHP", version: 1 },
  limits: { minStake: "1", maxStake: "50", maxPayout: "1000" },
  returnPercent: "99",
  sound: false,
  autoPlay: true,
  openRound: null,
  jackpot: null,
  messages: { ...words, "test.play": "Play", "test.busy": "Busy", "test.turn": "Your turn" },
};

/** A link whose answers are given one by one. */
function fakeLink() {
  const asked: unknown[] = [];
  const waiting: ((outcome: Outcome) => void)[] = [];
  let listeners: Listeners | null = null;
  const ask = (what: unknown) => {
    asked.push(what);
    return new Promise<Outcome>((resolve) => waiting.push(resolve));
  };
  const link = {
    listen: (given: Listeners) => (listeners = given),
    play: (stake: string, choice: unknown) => ask({ stake, choice }),
    act: ({ actions }: GameRound, action: Action) => ask({ step: actions.length, action }),
    shown: vi.fn(),
  };
  const answer = async (outcome: Outcome) => {
    waiting.shift()?.(outcome);
    await settle();
  };
  return {
    link: link as unknown as Link,
    shown: link.shown,
    asked,
    book: (told: GameRound) => answer({ kind: "book", requestId: "q", round: told }),
    refuse: (text: string) => answer({ kind: "refused", code: "x", text }),
    listeners: () => listeners as unknown as Listeners,
  };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

const seen: string[] = [];
const scene: Scene = {
  on: {
    tile: (event) => {
      seen.push(`tile ${String(event["tile"])}`);
    },
  },
  begin: () => seen.push("begin"),
  rest: () => seen.push("rest"),
  turn: (open) => seen.push(open ? "turn" : "no turn"),
  end: (ending) => {
    seen.push(ending);
  },
};

function game(more: Partial<Game> = {}): Game {
  return defineGame({
    choice: { level: 1 },
    words: {
      stage: "test.stage",
      play: "test.play",
      busy: "test.busy",
      turn: "test.turn",
      rules: [],
    },
    tell: () => ({ chip: "chip", said: "Said." }),
    scene: () => scene,
    plain: () => scene,
    ...more,
  });
}

async function open(more: Partial<Game> = {}, told: Partial<InitMessage> = {}) {
  const fake = fakeLink();
  const table = new Table(game(more), { ...init, ...told }, fake.link);
  document.body.replaceChildren(table.view);
  await table.ready();
  const main = table.view.querySelector(".plays .play") as HTMLButtonElement;
  const text = (selector: string) => table.view.querySelector(selector)?.textContent ?? "";
  return { ...fake, table, main, text };
}

beforeEach(() => {
  seen.length = 0;
});
afterEach(() => document.body.replaceChildren());

describe("table", () => {
  it("plays a round: asks once, shows the book in order, tells the result, then lets the balance go", async () => {
    const { main, asked, book, shown, text } = await open();
    main.click();
    main.click();
    expect(asked).toEqual([{ stake: "10", choice: { level: 1 } }]);
    expect(main.getAttribute("aria-busy")).toBe("true");
    expect(shown).not.toHaveBeenCalled();
    await book(round({ payout: "25", book: [{ type: "tile", tile: 3 }, { type: "payout" }] }));
    expect(seen.filter((one) => !one.includes("turn"))).toEqual(["begin", "tile 3", "won"]);
    expect(text(".result")).toContain("+₱15.00");
    expect(text("[aria-live]")).toBe("Said. You won ₱15.00. The payout is ₱25.00.");
    expect(shown).toHaveBeenCalledExactlyOnceWith("q");
    expect(main.getAttribute("aria-busy")).toBe("false");
  });

  it("tells the result of a game that adds nothing to it", async () => {
    const bare = () => ({ on: {} });
    const { main, book, text, table } = await open({ scene: bare, plain: bare });
    main.click();
    await book(round({ payout: "25" }));
    expect(text(".result")).toContain("+₱15.00");
    expect(table.view.querySelectorAll(".chip")).toHaveLength(1);
  });

  it("never tells less than the stake as a win", async () => {
    const { main, book, text } = await open();
    main.click();
    await book(round({ payout: "4" }));
    expect(text(".result")).toBe("₱4.00 came back");
    expect(seen).toContain("back");
  });

  it("leaves the table as it was when a bet is refused", async () => {
    const { main, refuse, text, shown } = await open();
    main.click();
    await refuse("Not now.");
    expect(text(".result")).toBe("Not now.");
    expect(seen).toContain("rest");
    expect(shown).not.toHaveBeenCalled();
    expect(text(".plays .play")).toContain("Play");
  });

  it("does not ask for a bet that cannot be", async () => {
    const { main, asked, table } = await open();
    const stake = table.view.querySelector("#stake") as HTMLInputElement;
    stake.value = "51";
    stake.dispatchEvent(new Event("input"));
    main.click();
    expect(asked).toEqual([]);
    expect(main.getAttribute("aria-disabled")).toBe("true");
    expect(table.view.querySelector("#stake-problem")?.textContent).toContain("₱50.00");
  });
});

describe("a round of several steps", () => {
  const first = round({ state: "open", book: [{ type: "tile", tile: 1 }] });
  const second = round({
    state: "open",
    actions: [{ pick: 1 }],
    book: [
      { type: "tile", tile: 1 },
      { type: "tile", tile: 2 },
    ],
    cashOut: "12.5",
  });

  it("waits for the player, shows only what is new, and cashes out", async () => {
    const { main, asked, book, text, table } = await open({ steps: true });
    main.click();
    await book(first);
    expect([text(".plays .play"), main.getAttribute("aria-disabled")]).toEqual([
      "Your turn",
      "true",
    ]);
    expect(table.view.querySelector("fieldset")?.disabled).toBe(true);
    table["seat"].act({ pick: 1 });
    await book(second);
    expect(seen.filter((one) => one.startsWith("tile"))).toEqual(["tile 1", "tile 2"]);
    expect(text(".plays .play")).toBe("Cash out ₱12.50");
    main.click();
    expect(asked.at(-1)).toEqual({ step: 1, action: "cashOut" });
    await book(round({ ...second, state: "over", payout: "12.5", cashOut: null }));
    expect(text(".result")).toContain("+₱2.50");
    expect(table.view.querySelector("fieldset")?.disabled).toBe(false);
  });

  it("keeps the open round when a step is refused", async () => {
    const { main, book, refuse, text, table } = await open({ steps: true });
    main.click();
    await book(second);
    table["seat"].act({ pick: 9 });
    await refuse("Moved on.");
    expect(text(".plays .play")).toBe("Cash out ₱12.50");
    expect(seen.at(-1)).toBe("turn");
  });

  it("goes on with a round that was left open", async () => {
    const { text, asked, main } = await open(
      { steps: true },
      { openRound: round({ ...second, stake: "20" }) },
    );
    expect(seen.filter((one) => one.startsWith("tile"))).toEqual(["tile 1", "tile 2"]);
    expect(text(".result")).toBe("Your round goes on where you left it.");
    main.click();
    expect(asked).toEqual([{ step: 1, action: "cashOut" }]);
  });

  it("follows a round that moved on elsewhere", async () => {
    const { main, book, text, listeners } = await open({ steps: true });
    main.click();
    await book(first);
    listeners().resume(second);
    await settle();
    expect(text(".plays .play")).toBe("Cash out ₱12.50");
    listeners().resume(null);
    await settle();
    expect(text(".plays .play")).toContain("Play");
  });
});

describe("a round of earlier", () => {
  it("is shown once more without a bet, and is not one more of the recent ones", async () => {
    const { table, asked, text, listeners, shown } = await open();
    const book = [{ type: "tile", tile: 4 }, { type: "payout" }];
    listeners().replay(round({ book, payout: "25", stake: "10" }));
    await settle();
    expect(seen).toContain("tile 4");
    expect(text(".result")).toContain("Payout ₱25.00");
    expect(asked).toEqual([]);
    expect(shown).not.toHaveBeenCalled();
    expect(table.view.querySelectorAll(".history li")).toHaveLength(0);
  });

  it("waits for a table that is free", async () => {
    const { main, book, listeners } = await open({ steps: true });
    main.click();
    await book(round({ state: "open", book: [{ type: "tile", tile: 1 }] }));
    const before = seen.length;
    listeners().replay(round({ book: [{ type: "tile", tile: 4 }], payout: "0" }));
    await settle();
    expect(seen).toHaveLength(before);
  });
});

describe("auto-play", () => {
  const start = (table: Table, rounds: string): void => {
    const field = table.view.querySelector("#auto-rounds") as HTMLInputElement;
    field.value = rounds;
    table.view.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true }));
  };

  it("plays its rounds and stops when asked", async () => {
    const { main, asked, book, text, table } = await open();
    start(table, "3");
    await book(round({}));
    expect(text(".plays .play")).toBe("Stop (2 left)");
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    main.click();
    await book(round({}));
    expect(asked).toHaveLength(2);
    expect(text(".plays .play")).toContain("Play");
  });

  it("ends with a refusal", async () => {
    const { asked, refuse, table, text } = await open();
    start(table, "3");
    await refuse("Too little.");
    expect([asked.length, text(".result")]).toEqual([1, "Too little."]);
  });

  it("is not there where the site does not allow it, nor in games of steps", async () => {
    expect((await open({}, { autoPlay: false })).table.view.querySelector("form")).toBeNull();
    expect((await open({ steps: true })).table.view.querySelector("form")).toBeNull();
  });
});
