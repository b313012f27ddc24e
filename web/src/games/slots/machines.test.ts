import { describe, expect, it } from "vitest";

import { tellSymbol } from "@/lib/fair/told/symbols";
import { multipleText } from "@/lib/fair/games/multiple";
import { type SlotCode, machines } from "@/lib/fair/games/slots";

import { freeSpinsOf, paysOf, symbolsOf } from "./pays";
import type { Style } from "./style";
import { fiestaStyle } from "./styles/fiesta";
import { reefStyle } from "./styles/reef";
import { sariStyle } from "./styles/sari";
import { windowsStyle } from "./styles/windows";

const styles: Readonly<Record<SlotCode, Style>> = {
  fiesta: fiestaStyle,
  reef: reefStyle,
  sari: sariStyle,
  windows: windowsStyle,
};
const codes = Object.keys(machines) as SlotCode[];
type Words = Record<string, string>;
const words = import.meta.glob<Words>("../../locales/*/games/slots/*.json", {
  eager: true,
  import: "default",
});
const told = import.meta.glob<Words>("../../locales/*/told.json", {
  eager: true,
  import: "default",
});

/** Every symbol that can lie on the reels. */
function drawnSymbols(code: SlotCode): number[] {
  const { source } = machines[code];
  if ("strips" in source) return [...new Set(source.strips.flat())];
  return source.weights.weights.flatMap((weight, symbol) => (weight > 0 ? [symbol] : []));
}

describe.each(codes)("the machine %s", (code) => {
  const { art, bits, drift } = styles[code];

  it("has a picture and a name in both languages for every symbol, and no two alike", () => {
    for (const symbol of drawnSymbols(code)) {
      const drawing = art[symbol];
      expect(drawing?.layers.length, `${code} ${symbol}`).toBeGreaterThan(0);
      for (const language of ["en", "fil"]) {
        const own = words[`../../locales/${language}/games/slots/${code}.json`] ?? {};
        expect(own[drawing?.key ?? ""], `${language} ${code} ${symbol}`).toBeTruthy();
      }
    }
    const keys = art.flatMap((drawing) => drawing?.key ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("calls its symbols as the pages do that check rounds", () => {
    for (const language of ["en", "fil"]) {
      const own = words[`../../locales/${language}/games/slots/${code}.json`] ?? {};
      const others = told[`../../locales/${language}/told.json`] ?? {};
      for (const symbol of drawnSymbols(code)) {
        expect(others[tellSymbol(code, symbol).key]).toBe(own[art[symbol]?.key ?? ""]);
      }
    }
  });

  it("shows every symbol in its paytable, and only these", () => {
    const shown = symbolsOf(machines[code]);
    expect(shown.toSorted((a, b) => a - b)).toEqual(drawnSymbols(code).toSorted((a, b) => a - b));
  });

  it("has the bits that it lets fly", () => {
    expect(bits[drift.bit]).toBeDefined();
  });
});

describe("what symbols pay", () => {
  const texts = (code: SlotCode, symbol: number) =>
    paysOf(machines[code], symbol).map(({ count, multiple }) => [count, multipleText(multiple)]);

  it("is told as a multiple of the whole stake, the most first", () => {
    expect(texts("reef", 2)).toEqual([
      ["5", "71"],
      ["4", "14"],
      ["3", "3"],
    ]);
    expect(texts("sari", 0)).toEqual([["3", "94"]]);
    expect(texts("windows", 9)).toEqual([
      ["5", "1.3"],
      ["4", "0.45"],
      ["3", "0.2"],
    ]);
  });

  it("is told for sizes of clusters and for scatters", () => {
    expect(texts("fiesta", 7)[0]).toEqual(["15+", "20"]);
    expect(texts("fiesta", 7)[2]).toEqual(["10–11", "3"]);
    expect(texts("fiesta", 7).at(-1)).toEqual(["5", "0.25"]);
    expect(texts("reef", 1)).toEqual([
      ["5", "50"],
      ["4", "10"],
      ["3", "2"],
    ]);
  });

  it("is nothing where only free spins are given", () => {
    expect(paysOf(machines.windows, 1)).toEqual([]);
    expect(freeSpinsOf(machines.windows).map(({ count, spins }) => [count, spins])).toEqual([
      ["3", 10],
      ["4", 15],
      ["5", 25],
    ]);
    expect(freeSpinsOf(machines.fiesta).at(-1)).toEqual({ count: "7+", spins: 15 });
    expect(freeSpinsOf(machines.sari)).toEqual([]);
  });
});
