import { describe, expect, it } from "vitest";

import { plainJson } from "./json";
import { isPortMessage, readFromFrame, readToFrame } from "./protocol";

const choice = { target: 5000, direction: "under" };
const start = { type: "round.start", requestId: "r", stake: "10", choice };
const step = { type: "round.act", requestId: "r", roundId: "id", step: 2, action: { pick: 3 } };

describe("messages of the frame", () => {
  it("takes known shapes and drops what else is in them", () => {
    expect(readFromFrame({ type: "ready", extra: 1 })).toEqual({ type: "ready" });
    expect(readFromFrame({ ...start, token: "x" })).toEqual(start);
    expect(readFromFrame({ ...start, choice: { picks: [1, 2, 40] } })).toEqual({
      ...start,
      choice: { picks: [1, 2, 40] },
    });
    expect(readFromFrame({ ...step, more: 1 })).toEqual(step);
    expect(readFromFrame({ ...step, action: "cashOut" })).toEqual({ ...step, action: "cashOut" });
    expect(readFromFrame({ type: "size", height: 700 })).toEqual({ type: "size", height: 700 });
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
    { ...start, choice: "all" },
    { ...start, choice: [1] },
    { ...start, choice: { deep: [[[[[1]]]]] } },
    { ...start, choice: { many: Array.from({ length: 200 }, () => 1) } },
    { ...start, choice: { long: "x".repeat(65) } },
    { ...step, step: -1 },
    { ...step, step: 1.5 },
    { ...step, step: 1e9 },
    { ...step, action: undefined },
    { ...step, roundId: "" },
    { type: "round.shown" },
    { type: "size", height: "tall" },
    { type: "size", height: 1e6 },
    { type: "sound", on: true },
  ])("refuses %j", (message) => {
    expect(readFromFrame(message)).toBeNull();
  });

  it("takes no more than plain JSON out of what can be cloned", () => {
    const round: { self?: unknown } = {};
    round.self = round;
    for (const odd of [
      1n,
      Number.NaN,
      new Date(0),
      new Map(),
      new Uint8Array(2),
      round,
      undefined,
    ]) {
      expect(plainJson(odd)).toBeUndefined();
      expect(plainJson({ inside: odd })).toBeUndefined();
    }
    expect(plainJson({ a: [1, "b", null, true] })).toEqual({ a: [1, "b", null, true] });
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
