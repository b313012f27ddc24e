import { describe, expect, it } from "vitest";

import { isPortMessage, readFromFrame, readToFrame } from "./protocol";

const choice = { target: 5000, direction: "under" };
const start = { type: "round.start", requestId: "r", stake: "10", choice };

describe("messages of the frame", () => {
  it("takes known shapes and drops what else is in them", () => {
    expect(readFromFrame({ type: "ready", extra: 1 })).toEqual({ type: "ready" });
    expect(readFromFrame({ ...start, token: "x", choice: { ...choice, more: 1 } })).toEqual(start);
    expect(readFromFrame({ type: "round.shown", requestId: "r" })).toEqual({
      type: "round.shown",
      requestId: "r",
    });
  });

  it.each([
    null,
    "ready",
    {},
    { type: "transfer" },
    { ...start, requestId: "" },
    { ...start, requestId: "r".repeat(65) },
    { ...start, stake: 10 },
    { ...start, choice: null },
    { ...start, choice: { target: 1.5, direction: "under" } },
    { ...start, choice: { target: 1, direction: "sideways" } },
    { type: "round.shown" },
    { type: "sound", on: true },
  ])("refuses %j", (message) => {
    expect(readFromFrame(message)).toBeNull();
  });
});

describe("messages of the parent", () => {
  it("knows its types", () => {
    expect(readToFrame({ type: "theme", theme: "dark" })).toEqual({ type: "theme", theme: "dark" });
    expect([readToFrame({ type: "evil" }), readToFrame(null)]).toEqual([null, null]);
    expect([isPortMessage({ type: "capiz.port" }), isPortMessage({ type: "port" })]).toEqual([
      true,
      false,
    ]);
  });
});
