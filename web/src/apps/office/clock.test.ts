import { describe, expect, it } from "vitest";
import { startOfDay, timeText } from "./clock";

describe("startOfDay", () => {
  it("is midnight where whoever looks is", () => {
    expect(startOfDay("2026-11-15")).toBe(new Date(2026, 10, 15).toISOString());
    expect(startOfDay("2026-12-31", 1)).toBe(new Date(2027, 0, 1).toISOString());
  });
  it("knows which days exist", () => {
    for (const day of [undefined, "", "2026-02-30", "2026-13-01", "15/11/2026", "0001-01-01"]) {
      expect(startOfDay(day)).toBeUndefined();
    }
  });
});

describe("timeText", () => {
  it("has a dash for never", () => {
    expect(timeText(null)).toBe("–");
    expect(timeText("2026-11-15T12:00:00Z")).toMatch(/^\d\d\/11\/2026 \d\d:00:00$/);
  });
});
