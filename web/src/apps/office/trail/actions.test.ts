import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { TrailRow } from "../api";
import { actionNames, actorText, subjectText } from "./actions";

const server = path.resolve(import.meta.dirname, "../../../../../server/src");

/** Names of the same look in those files that are none of actions: fields, and what is checked. */
const others = new Set([
  "data.section",
  "data.slug",
  "service.trail",
  "studio.replay",
  "wallet.audit",
]);

/** What the server writes into the trail: the names in the files that know of deeds, without those of rights. */
function namesOfServer(): Set<string> {
  const files = readdirSync(server, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".rs"))
    .map((file) => readFileSync(path.join(server, file), "utf8"))
    .filter((text) => /\bDeed\b/.test(text));
  const lines = texts.join("\n").split("\n");
  const named = lines.filter((line) => !line.includes("security("));
  const names = named.join("\n").matchAll(/"([a-z]+\.[a-z_]+)"/g);
  return new Set([...names].map(([, name = ""]) => name).filter((name) => !others.has(name)));
}

const t = (key: string, ...values: unknown[]) => [key, ...values].join(" ");

describe("the trail in words", () => {
  it("has them for every action of the server, and for no other", () => {
    expect(Object.keys(actionNames).toSorted()).toEqual([...namesOfServer()].toSorted());
  });

  it("has them for what is not one of many, and for one of a kind", () => {
    expect(subjectText("staff:people", undefined, t)).toBe("office.all_people");
    expect(subjectText("service:mail", undefined, t)).toBe("office.a_service mail");
    expect(subjectText("job:0197c000-0000-7000-8000-00000000cafe", undefined, t)).toMatch(
      /^office.a_job /,
    );
    expect(subjectText("newer:thing", undefined, t)).toBe("newer:thing");
  });

  it("calls nobody a stranger who works here by that name", () => {
    const row = { actor: "stranger", action: "staff.login_refused" } as TrailRow;
    expect(actorText(row, t)).toBe("office.stranger");
    expect(actorText({ ...row, action: "staff.login" }, t)).toBe("stranger");
  });
});
