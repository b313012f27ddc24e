import { describe, expect, it } from "vitest";
import { difference } from "./difference";

const json = (value: unknown) => JSON.stringify(value);

describe("difference", () => {
  it("tells what changed from what stayed, in the order of the fields", () => {
    const before = json({ name: "Ana", roles: ["cashier", "support"], isActive: true });
    const after = json({ name: "Ana Cruz", roles: ["support", "auditor"], isActive: true });
    expect(difference(before, after)).toEqual([
      { path: "name", kind: "changed", was: "Ana", is: "Ana Cruz" },
      { path: "roles", kind: "removed", was: "cashier", is: null },
      { path: "roles", kind: "same", was: "support", is: "support" },
      { path: "roles", kind: "added", was: null, is: "auditor" },
      { path: "isActive", kind: "same", was: "true", is: "true" },
    ]);
  });

  it("shows something new as added and something gone as removed", () => {
    expect(difference(null, json({ name: "Ana" }))).toEqual([
      { path: "name", kind: "added", was: null, is: "Ana" },
    ]);
    expect(difference(json({ name: "Ana" }), null)).toEqual([
      { path: "name", kind: "removed", was: "Ana", is: null },
    ]);
  });

  it("takes a list by itself, as roles have it", () => {
    expect(difference(json(["trail.read"]), json(["staff.read", "trail.read"]))).toEqual([
      { path: "", kind: "same", was: "trail.read", is: "trail.read" },
      { path: "", kind: "added", was: null, is: "staff.read" },
    ]);
  });

  it("reads nested fields, and keeps the list apart from a field of its name", () => {
    expect(difference(json({ a: { b: 1 } }), json({ a: { b: 2 } }))).toEqual([
      { path: "a.b", kind: "changed", was: "1", is: "2" },
    ]);
    expect(difference(json({ a: "x" }), json({ a: ["x"] })).map(({ kind }) => kind)).toEqual([
      "removed",
      "added",
    ]);
  });

  it("is empty where there is nothing, and shows what is no JSON as it stands", () => {
    expect(difference(null, undefined)).toEqual([]);
    expect(difference("not json", "not json")).toEqual([
      { path: "", kind: "same", was: "not json", is: "not json" },
    ]);
  });
});
