import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { TrailRow } from "../api";
import { actionNames, actorText } from "./actions";
import { placeOf } from "./places";
import { subjectText } from "./subject-text";

const root = path.resolve(import.meta.dirname, "../../../../..");

/** Where the server's code lies. */
const sources = [
  ...readdirSync(path.join(root, "domains")).map((domain) => `domains/${domain}/src`),
  "crates/platform/src",
  "server/src",
];

/** Names of the same look in those files that are none of actions: fields, and what is checked. */
const others = new Set([
  "data.section",
  "data.slug",
  "service.trail",
  "studio.replay",
  "wallet.audit",
]);

/** The texts of every Rust file in a folder. */
function textsIn(source: string): string[] {
  const folder = path.join(root, source);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".rs"))
    .map((file) => readFileSync(path.join(folder, file), "utf8"));
  expect(texts, source).not.toEqual([]);
  return texts;
}

/** What the server writes into the trail: the names in the files that write audit entries, without those of rights. */
function namesOfServer(): Set<string> {
  const texts = sources.flatMap(textsIn).filter((text) => /\bAuditEntry\b/.test(text));
  const lines = texts.join("\n").split("\n");
  const named = lines.filter((line) => !line.includes("security("));
  const names = named.join("\n").matchAll(/"([a-z]+\.[a-z_]+)"/g);
  return new Set([...names].map(([, name = ""]) => name).filter((name) => !others.has(name)));
}

const nobody = () => undefined;

const t = (key: string, ...values: unknown[]) => [key, ...values].join(" ");

describe("the trail in words", () => {
  it("has them for every action of the server, and for no other", () => {
    const names = namesOfServer();
    expect(names.size).toBeGreaterThan(40);
    expect(Object.keys(actionNames).toSorted()).toEqual([...names].toSorted());
  });

  it("has them for what is not one of many, and for one of a kind", () => {
    expect(subjectText("staff:people", nobody, t)).toBe("office.all_people");
    expect(subjectText("service:mail", nobody, t)).toBe("office.a_service mail");
    expect(subjectText("job:0197c000-0000-7000-8000-00000000cafe", nobody, t)).toMatch(
      /^office.a_job /,
    );
    expect(subjectText("newer:thing", nobody, t)).toBe("newer:thing");
  });

  it("has the names of what it is about, and what is known of it where nobody tells them", () => {
    const names: Record<string, string> = {
      "member:0197c000-0000-7000-8000-00000000cafe": "maria",
      "game:capiz/dice": "Dice",
      "vendor:CAPIZ": "Capiz Studio",
      "person:0197c000-0000-7000-8000-00000000cafe": "Ana Cruz",
    };
    const texts = Object.keys(names).map((subject) => [
      subjectText(subject, (one) => names[one], t),
      subjectText(subject, nobody, t),
    ]);
    expect(texts).toEqual([
      ["office.a_member maria", "office.a_member …0000cafe"],
      ["office.a_game Dice · capiz", "office.a_game dice · capiz"],
      ["office.a_vendor Capiz Studio", "office.a_vendor CAPIZ"],
      ["Ana Cruz", "office.a_person …0000cafe"],
    ]);
    expect(subjectText("setting:capiz/register_rule/email", nobody, t)).toBe(
      "settings.kind_rule: field.email · capiz",
    );
    expect(subjectText("content:capiz/notice/Cash", nobody, t)).toBe("edit.notices · Cash · capiz");
  });

  it("leads to where it stands, whatever it is that the server writes", () => {
    const kinds = ["person", "member", "role", "setting", "content", "vendor", "game", "approval"];
    const others = ["message", "job", "service", "feedback", "application"];
    for (const kind of [...kinds, ...others]) expect(placeOf(`${kind}:a/b`), kind).not.toBeNull();
    expect(placeOf("setting:capiz/policy/PH")).toMatchObject({
      to: "/settings",
      search: { merchant: "capiz", tab: "policies" },
    });
    for (const subject of ["staff:people", "file:x", "newer:thing", ""]) {
      expect(placeOf(subject)).toBeNull();
    }
  });

  it("calls nobody a stranger who works here by that name", () => {
    const row = { actor: "stranger", action: "staff.login_refused" } as TrailRow;
    expect(actorText(row, t)).toBe("office.stranger");
    expect(actorText({ ...row, action: "staff.login" }, t)).toBe("stranger");
  });
});
