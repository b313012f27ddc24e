import { describe, expect, it } from "vitest";
import { nextSlide, slidesFor, standsFor, wayOfPull, wayTo } from "./slides";

describe("the carousel", () => {
  it("keeps the specified times", () => {
    expect([standsFor, slidesFor]).toEqual([5000, 1000]);
  });

  it("begins anew after its last slide, in both directions", () => {
    expect([0, 1, 2, 3].map((at) => nextSlide(at, 1, 4))).toEqual([1, 2, 3, 0]);
    expect([0, 1, 2, 3].map((at) => nextSlide(at, -1, 4))).toEqual([3, 0, 1, 2]);
  });

  it("follows a thumb that pulls far enough", () => {
    expect([-0.5, -0.1, 0, 0.1, 0.5].map(wayOfPull)).toEqual([1, 0, 0, 0, -1]);
    expect([wayTo(0, 3), wayTo(3, 0)]).toEqual([1, -1]);
  });
});
