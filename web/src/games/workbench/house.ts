import { toHex } from "@/lib/fair/bytes";
import { type Replay, replay } from "@/lib/fair/games/games";
import { moneyText, moneyUnits } from "@/lib/money/money";

import type { Action, Choice, GameEvent, GameRound } from "../protocol";

/** How a round shall end; looked for among seeds, so that the book is a real one. */
export type Wanted = "any" | "win" | "big" | "loss" | "free";

const MOST = "1000000";
/** What a hit would win here. */
const POOL = "812345.67";
const TRIES = 4000;
const BIG = 10n;

const newSeed = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)));

/** A house without money: its rounds are made by the same rules that the fairness page checks with. */
export class House {
  balance = "1000";
  version = 0;
  open: GameRound | null = null;
  private serverSeed: string;
  private nonce = 0;

  constructor(
    private readonly game: string,
    seed: string | null,
  ) {
    this.serverSeed = seed ?? newSeed();
  }

  async play(stake: string, choice: Choice, wanted: Wanted): Promise<GameRound> {
    this.pay(-moneyUnits(stake));
    for (let tries = 0; ; tries += 1) {
      this.nonce += 1;
      const round = await this.round(stake, choice, []);
      if (round.state === "open" || tries >= TRIES || fits(round, wanted)) return this.keep(round);
    }
  }

  async act(action: Action): Promise<GameRound> {
    if (!this.open) throw new Error("no round is open");
    const { stake, choice, actions } = this.open;
    return this.keep(await this.round(stake, choice, [...actions, action]));
  }

  private keep(round: GameRound): GameRound {
    this.open = round.state === "open" ? round : null;
    if (round.state === "over") this.pay(moneyUnits(round.payout));
    return round;
  }

  private pay(units: bigint): void {
    this.balance = moneyText(moneyUnits(this.balance) + units);
    this.version += 1;
  }

  private async round(
    stake: string,
    choice: Choice,
    actions: readonly Action[],
  ): Promise<GameRound> {
    const draw = { serverSeed: this.serverSeed, clientSeed: "workbench", nonce: this.nonce };
    const told = { game: this.game, stake, choice, actions, most: MOST };
    const { events, payout, cashOut } = (await replay(draw, told)) as Replay;
    const isJackpot = events.some(({ type, won }) => type === "jackpot" && won === true);
    return {
      id: `round-${this.nonce}`,
      gameCode: this.game,
      stake,
      payout: payout ?? "0",
      choice,
      actions,
      book: events as readonly GameEvent[],
      state: payout === null ? "open" : "over",
      cashOut,
      jackpot: isJackpot ? POOL : null,
    };
  }
}

function fits({ stake, payout, book }: GameRound, wanted: Wanted): boolean {
  if (wanted === "free") return book.some(({ type }) => type === "free");
  const [staked, paid] = [moneyUnits(stake), moneyUnits(payout)];
  if (wanted === "win") return paid > staked;
  if (wanted === "big") return paid >= staked * BIG;
  return wanted === "any" || paid < staked;
}
