import { moneyText, moneyUnits } from "@/lib/money/money";

import type { GameRound } from "../protocol";
import { el } from "./dom";
import { endingOf, paidBy } from "./ending";
import type { Ending, Game, Seat } from "./game";
import type { History } from "./history";
import type { StageView } from "./stage-view";

/** Tells how rounds ended: on the stage, in the history, aloud, and by sound. */
export class Results {
  constructor(
    private readonly game: Game,
    private readonly seat: Seat,
    private readonly stage: StageView,
    private readonly history: History,
  ) {}

  /** A round that is shown once more is in the history already. */
  tell(round: GameRound, isReplay: boolean): Ending {
    const ending = endingOf(round);
    const { chip, said } = this.game.tell(this.seat, round);
    if (!isReplay) this.history.add(chip, ending);
    this.stage.said.textContent = `${said} ${this[ending](round)}`;
    return ending;
  }

  private lost(): string {
    const { text, sound } = this.seat;
    this.stage.say("lost", text("table.lost"));
    sound.lose();
    return text("table.lost_said");
  }

  /** What is not more than the stake is no win, and does not sound like one. */
  private back(round: GameRound): string {
    const { text, sound, money } = this.seat;
    const told = text("table.back", money(moneyText(paidBy(round))));
    this.stage.say("back", told);
    sound.tick(0.2);
    return told;
  }

  /** A win is told as the gain, which the player has more, and the payout, which came back in all. */
  private won(round: GameRound): string {
    const { text, sound, money } = this.seat;
    const [staked, paid] = [moneyUnits(round.stake), paidBy(round)];
    const [gain, all] = [money(moneyText(paid - staked)), money(moneyText(paid))];
    this.stage.say("won", el("strong", {}, `+${gain}`), text("table.won", all));
    sound.win(Number(paid) / Number(staked));
    return text("table.won_said", gain, all);
  }
}
