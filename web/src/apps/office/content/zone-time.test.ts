import { describe, expect, it } from "vitest";
import { fromField, toField } from "./zone-time";

describe("the clock of a zone", () => {
  it("is read and written", () => {
    expect(toField("2026-11-16T00:30:00Z", "Asia/Manila")).toBe("2026-11-16T08:30");
    expect(fromField("2026-11-16T08:30", "Asia/Manila")).toBe("2026-11-16T00:30:00.000Z");
    expect(fromField("2026-11-16T08:30", "America/St_Johns")).toBe("2026-11-16T12:00:00.000Z");
  });
  it("knows summer and winter, on the day of the change too", () => {
    expect(fromField("2026-03-29T01:30", "Europe/Berlin")).toBe("2026-03-29T00:30:00.000Z");
    expect(fromField("2026-03-29T03:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
    expect(fromField("2026-07-01T12:00", "Europe/Berlin")).toBe("2026-07-01T10:00:00.000Z");
  });
  it("takes no moment for none, and nonsense for none", () => {
    expect(toField(null, "Asia/Manila")).toBe("");
    expect(fromField("", "Asia/Manila")).toBeNull();
    expect(fromField("2026-13-40T08:30", "Asia/Manila")).toBeNull();
  });
});
