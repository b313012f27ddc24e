import { moneyText, moneyUnits } from "@/lib/money/money";
import { type Block, type Draw, type Drawn, FairStream, type Taken } from "../stream";
import { dice } from "./dice";
import { hilo } from "./hilo";
import { drawJackpot, jackpotGames } from "./jackpot";
import { keno } from "./keno";
import { limbo } from "./limbo";
import { mines } from "./mines";
import { multipleText, payoutOf } from "./multiple";
import { plinko } from "./plinko";
import { type GameEvent, NotAllowed, type Progress, type Rules } from "./rules";
import { scratch } from "./scratch";
import { machines, slot } from "./slots";
import { wheel } from "./wheel";

const rules: Readonly<Record<string, Rules>> = {
  dice,
  limbo,
  mines,
  plinko,
  hilo,
  wheel,
  keno,
  scratch,
  ...Object.fromEntries(Object.entries(machines).map(([code, machine]) => [code, slot(machine)])),
};

/** A round as the server tells it. */
export type PlayedRound = {
  game: string;
  choice: unknown;
  actions: readonly unknown[];
  stake: string;
  most: string;
};

/** A replayed round with everything needed to follow it by hand. */
export type Replay = {
  blocks: readonly Block[];
  taken: readonly Taken[];
  drawn: readonly Drawn[];
  events: readonly GameEvent[];
  /** What it pays, once it is over. */
  payout: string | null;
  /** What the player gets for stopping now, while it is not over. */
  cashOut: string | null;
};

/** Plays a round again from its seeds; null for a game that this page does not know. */
export async function replay(draw: Omit<Draw, "game">, round: PlayedRound): Promise<Replay | null> {
  const play = rules[round.game];
  if (!play) return null;
  const stream = new FairStream({ ...draw, game: round.game });
  const terms = { stake: moneyUnits(round.stake), most: moneyUnits(round.most) };
  const isGivenBack = round.actions.at(-1) === "giveBack";
  const actions = isGivenBack ? round.actions.slice(0, -1) : round.actions;
  const progress = await play(stream, terms, round.choice as never, actions);
  const { blocks, taken, drawn } = stream;
  const work = { blocks, taken, drawn };
  if (isGivenBack) return { ...work, ...givenBack(progress, round.stake) };
  if (!progress.isOver) {
    const { cashOut } = progress;
    const worth = cashOut && moneyText(payoutOf(cashOut, terms.stake));
    return { ...work, events: progress.events, payout: null, cashOut: worth };
  }
  const last = jackpotGames.has(round.game) ? [await drawJackpot(stream, terms)] : [];
  const amount = moneyText(payoutOf(progress.multiple, terms.stake));
  const paid = { type: "payout", amount, multiplier: multipleText(progress.multiple) };
  const events = [...progress.events, ...last, paid];
  return { ...work, events, payout: amount, cashOut: null };
}

/** A round that was left before anything was risked: the house gave the stake back. */
function givenBack(progress: Progress, stake: string): Omit<Replay, "blocks" | "taken" | "drawn"> {
  if (progress.isOver || progress.cashOut) throw new NotAllowed("there was something to play for");
  const { events } = progress;
  const paid = { type: "payout", amount: stake, multiplier: "1" };
  return { events: [...events, { type: "givenBack" }, paid], payout: stake, cashOut: null };
}
