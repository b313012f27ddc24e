import { existsSync, readdirSync, readFileSync } from "node:fs";
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
    const files = readdirSync("../domains").map((domain) => `../domains/${domain}/src/rights.rs`);
    const source = files
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "utf8"));
    const found = source.join("").matchAll(/^ {4}[A-Z]\w+ "([a-z.]+)" ".+"$/gm);
    const named = [...found].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(["staff.read", "wallet.correct"]));
    expect(Object.keys(rightSentences).toSorted()).toEqual(named.toSorted());
  });
  it("of a newer server are shown as they are written", () => {
    expect(allRights([{ rights: ["money.move"] }])).toContain("money.move");
    expect(rightText("money.move", (key) => key)).toBe("money.move");
    expect(rightText("staff.read", (key) => key)).toBe("office.right_staff_read");
  });
});
