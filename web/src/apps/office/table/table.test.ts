// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { isShown, readChoice } from "./choice";
import { directionOf, inOrder, nextOrder } from "./order";

afterEach(() => localStorage.clear());

const columns = [
  { id: "name", compare: (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1) },
  { id: "note" },
];
const rows = [{ name: "b" }, { name: "c" }, { name: "a" }];
const names = (order: string | undefined) =>
  inOrder(rows, columns, order)
    .map(({ name }) => name)
    .join("");

describe("the order of a table", () => {
  it("goes up, then down, and starts anew at another column", () => {
    expect(nextOrder(undefined, "name")).toBe("name");
    expect(nextOrder("name", "name")).toBe("-name");
    expect(nextOrder("-name", "name")).toBe("name");
    expect(nextOrder("-name", "note")).toBe("note");
    expect(directionOf("-name", "name")).toBe("descending");
    expect(directionOf("-name", "note")).toBeNull();
  });
  it("puts rows into order, and leaves them where no column knows it", () => {
    expect(names("name")).toBe("abc");
    expect(names("-name")).toBe("cba");
    expect(names("note")).toBe("bca");
    expect(names("no-such")).toBe("bca");
    expect(names(undefined)).toBe("bca");
  });
});

describe("the choice of columns", () => {
  it("shows what is usual until somebody chooses; a fixed column stays", () => {
    expect(isShown({ id: "a" }, {})).toBe(true);
    expect(isShown({ id: "a" }, { a: false })).toBe(false);
    expect(isShown({ id: "a", isExtra: true }, {})).toBe(false);
    expect(isShown({ id: "a", isExtra: true }, { a: true })).toBe(true);
    expect(isShown({ id: "a", isFixed: true }, { a: false })).toBe(true);
  });
  it("survives what is kept under its name by mistake", () => {
    for (const kept of ["", "null", "[1]", "{", '{"a":"yes"}']) {
      localStorage.setItem("office.columns.people", kept);
      expect(readChoice("people")).toEqual({});
    }
    localStorage.setItem("office.columns.people", '{"a":false,"b":1}');
    expect(readChoice("people")).toEqual({ a: false });
  });
});
