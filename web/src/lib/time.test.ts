import { describe, expect, it } from "vitest";
import { agoText, clockText, todayIn } from "./time";

describe("clockText", () => {
  it("is DD/MM/YYYY HH:mm:ss in the merchant's zone", () => {
    const at = new Date("2026-11-15T12:14:05Z");
    expect(clockText(at, "Asia/Manila")).toBe("15/11/2026 20:14:05");
    expect(clockText(at, "UTC")).toBe("15/11/2026 12:14:05");
  });
  it("writes midnight as 00", () => {
    expect(clockText(new Date("2026-01-01T16:00:00Z"), "Asia/Manila")).toBe("02/01/2026 00:00:00");
  });
});

describe("agoText", () => {
  const now = new Date("2026-11-15T12:00:00Z");
  it.each([
    ["2026-11-15T11:59:50Z", "this minute"],
    ["2026-11-15T12:00:09Z", "this minute"],
    ["2026-11-15T11:55:30Z", "4 min. ago"],
    ["2026-11-15T09:00:00Z", "3 hr. ago"],
    ["2026-11-13T11:00:00Z", "2 days ago"],
  ])("%s is %s", (at, text) => {
    expect(agoText(new Date(at), now, "en")).toBe(text);
  });
});

describe("todayIn", () => {
  it("is the day of the zone", () => {
    const late = new Date("2026-11-14T17:00:00Z");
    expect(todayIn("Asia/Manila", late)).toBe("2026-11-15");
    expect(todayIn("UTC", late)).toBe("2026-11-14");
  });
});
