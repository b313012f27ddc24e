import { describe, expect, it } from "vitest";
import { bytesText, countText, spanText } from "./format";

describe("figures of the service pages", () => {
  it("have the unit that fits", () => {
    expect(bytesText(0, "en")).toBe("0 byte");
    expect(bytesText(999, "en")).toBe("999 byte");
    expect(bytesText(12_345_678, "en")).toBe("12.3 MB");
    expect(bytesText(5e15, "en")).toBe("5,000 TB");
    expect(spanText(0.351, "en")).toBe("0.35 ms");
    expect(spanText(250, "en")).toBe("250 ms");
    expect(spanText(12_000, "en")).toBe("12 sec");
    expect(spanText(90_000, "en")).toBe("1.5 min");
    expect(spanText(5 * 3_600_000, "en")).toBe("5 hr");
    expect(spanText(3 * 86_400_000, "en")).toBe("3 days");
    expect(countText(12345, "en")).toBe("12,345");
  });
});
