import { describe, expect, it } from "vitest";
import { pushed } from "@/lib/push/keys";
import { winnersQuery } from "./api";
import { diceMultiplier, dicePayout } from "./model";

describe("the odds on the home page", () => {
  it("are those of the game: 99 % come back", () => {
    expect(diceMultiplier(50)).toBe("1.98");
    expect(diceMultiplier(1)).toBe("99.00");
    expect(diceMultiplier(98)).toBe("1.01");
    expect(dicePayout(100, 49)).toBe("202.04");
  });
});

describe("the winners board", () => {
  it("is the one that push feeds", () => {
    expect(winnersQuery("EN").queryKey).toEqual(pushed.winners);
  });
});
