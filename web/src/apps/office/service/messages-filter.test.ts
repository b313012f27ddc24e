import { describe, expect, it } from "vitest";
import { queryOf } from "./messages-filter";

describe("the filter of messages", () => {
  it("asks for what the address names, whole days included", () => {
    expect(
      queryOf({
        channel: "sms",
        state: "kept",
        to: " 0917 ",
        from: "2026-11-15",
        until: "2026-11-15",
      }),
    ).toEqual({
      limit: 50,
      channel: "sms",
      state: "kept",
      to: "0917",
      from: new Date(2026, 10, 15).toISOString(),
      until: new Date(2026, 10, 16).toISOString(),
    });
  });
  it("leaves out what makes no sense", () => {
    const odd = { channel: "pigeon", state: "lost", to: " ", from: "x", until: "y", before: "7" };
    expect(queryOf(odd)).toEqual({ limit: 50 });
  });
});
