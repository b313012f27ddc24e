import { payoutOf } from "@/lib/fair/games/multiple";
import { type Machine, type SlotCode, machines } from "@/lib/fair/games/slots";
import { type Units, moneyText } from "@/lib/money/money";

import { el } from "../frame/dom";
import { type Fact, type Game, defineGame } from "../frame/game";
import type { SlotEvent } from "./book";
import { SlotScene, type Settings } from "./scene";
import { slotSheet } from "./sheet";
import { type Style, currentTheme } from "./style";
import { tellRound } from "./tell";
import type { MachineKey, NoChoice, SlotKey, SlotSeat } from "./words";

type Names = { stage: MachineKey; rules: MachineKey };

/** A machine as a game: its rules are data, its style is how it looks and feels, and all the rest is the same. */
export function slotGame(code: SlotCode, style: Style, names: Names): Game {
  const machine: Machine = machines[code];
  const settings: Settings = { isQuick: false };
  return defineGame<NoChoice, SlotEvent, SlotKey | MachineKey>({
    choice: {},
    words: {
      stage: names.stage,
      play: "slots.play",
      busy: "slots.busy",
      rules: [names.rules],
      keys: "slots.keys",
    },
    controls: (seat) => quickControl(seat, settings),
    facts: (seat) => factsOf(machine, seat),
    most: () => ({ top: BigInt(machine.most), bottom: 100n }),
    sheet: (seat) => slotSheet(machine, style, seat, currentTheme()),
    tell: (seat, round) => tellRound(machine, style, seat, round),
    scene: (canvas, seat) => new SlotScene(canvas, seat, machine, style, settings),
  });
}

/** What the stake means on this machine. */
function factsOf({ pays, most }: Machine, { text, money, stake }: SlotSeat): Fact[] {
  const units = stake();
  const shown = (amount: (units: Units) => Units) =>
    units === null ? "–" : money(moneyText(amount(units)));
  const top = { top: BigInt(most), bottom: 100n };
  const facts = [{ name: text("slots.top"), value: shown((units) => payoutOf(top, units)) }];
  if (typeof pays !== "object" || !("lines" in pays)) return facts;
  const lines = BigInt(pays.lines.length);
  return [{ name: text("slots.per_line"), value: shown((units) => units / lines) }, ...facts];
}

/** A switch for players who want to see results sooner; the letter Q does the same. */
function quickControl({ text }: SlotSeat, settings: Settings) {
  const input = el("input", { type: "checkbox", role: "switch" });
  const view = el("label", { class: "slots-quick" }, input, el("span", {}, text("slots.quick")));
  input.addEventListener("change", () => {
    settings.isQuick = input.checked;
  });
  document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (key.toLowerCase() !== "q" || ctrlKey || metaKey || altKey) return;
    if (target instanceof HTMLInputElement && target.type === "text") return;
    if (document.querySelector("dialog[open]")) return;
    input.click();
  });
  const show = (): void => {
    input.checked = settings.isQuick;
  };
  return { views: [view], show };
}
