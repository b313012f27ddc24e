import { describe, expect, it } from "vitest";

import { Mask } from "./mask";

describe("scratch card", () => {
  it("opens a field once enough of it is gone, and no other", () => {
    const mask = new Mask();
    expect(mask.scratch(1 / 6, 1 / 6, 0.05)).toEqual([]);
    expect(mask.scratch(1 / 6, 1 / 6, 0.16)).toEqual([0]);
    expect(mask.scratch(5 / 6, 5 / 6, 0.16)).toEqual([0, 8]);
  });

  it("opens everything under a large coin", () => {
    expect(new Mask().scratch(0.5, 0.5, 1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
