import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pagesOf } from "./pages";
import { allRights, rightSentences, rightText } from "./rights";

const me = (...rights: string[]) => ({
  id: "1",
  username: "ana",
  name: "Ana",
  roles: [],
  rights,
  lastLoginAt: null,
  mustChangePassword: false,
});
const paths = (...rights: string[]) => pagesOf(me(...rights)).map(({ path }) => path);

describe("rights", () => {
  it("open pages; without any there is the desk", () => {
    expect(paths()).toEqual(["/"]);
    expect(paths("trail.read")).toEqual(["/", "/trail"]);
    expect(paths("staff.read")).toEqual(["/", "/staff", "/roles"]);
  });
  it("have a sentence each", () => {
    const source = readFileSync("../domains/staff/src/rights.rs", "utf8");
    const named = [...source.matchAll(/^ {4}[A-Z]\w+ "([a-z.]+)" ".+"$/gm)].map(([, name]) => name);
    expect(named).toContain("staff.read");
    expect(Object.keys(rightSentences)).toEqual(named);
  });
  it("of a newer server are shown as they are written", () => {
    expect(allRights([{ rights: ["money.move"] }])).toContain("money.move");
    expect(rightText("money.move", (key) => key)).toBe("money.move");
    expect(rightText("staff.read", (key) => key)).toBe("office.right_staff_read");
  });
});
