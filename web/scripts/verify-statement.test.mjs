import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { compareStatements, report, verifyStatement } from "./verify-statement.mjs";

const vectors = path.resolve(import.meta.dirname, "../../vectors/ledger.json");
const { statement } = JSON.parse(readFileSync(vectors, "utf8"));

const withRows = (content) => ({ ...statement, content });
const changed = (seq, change) =>
  withRows(statement.content.map((row) => (row.seq === seq ? { ...row, ...change } : row)));

/** The record as it was when it had this many entries. */
function upTo(seq) {
  const content = statement.content.slice(0, seq);
  return { ...statement, head: { seq, hash: content.at(-1)?.hash ?? "00".repeat(32) }, content };
}

describe("verifyStatement", () => {
  it("proves a record, its end and its balances", () => {
    const { problem, head, balances } = verifyStatement(statement);
    expect(problem).toBeNull();
    expect(head).toEqual(statement.head);
    expect(balances.get("main PHP")).toBe(3_506_500_000n);
    expect(balances.get("points PTS")).toBe(125_000n);
  });

  it("proves a record without entries", () => {
    expect(verifyStatement(upTo(0)).problem).toBeNull();
  });

  it.each(Object.keys(statement.content[0]).filter((name) => name !== "hash"))(
    "notices an entry without its %s",
    (name) => {
      const file = changed(5, { [name]: undefined });
      expect(verifyStatement(file)).toMatchObject({ seq: 5, problem: expect.any(String) });
    },
  );

  it.each([
    ["another amount", { amount: "11" }],
    ["an amount written another way", { amount: "10.0" }],
    ["another reason", { kind: "payout" }],
    ["another account", { credit: "house:bank" }],
    ["another balance", { debitAfter: "991" }],
    ["another hash", { hash: "ab".repeat(32) }],
    ["another time", { at: "2026-11-15T01:25:11.000001Z" }],
    ["a time that never was", { at: "2026-11-31T01:25:11Z" }],
    ["something undone", { reverses: 1 }],
  ])("notices %s", (_, change) => {
    expect(verifyStatement(changed(2, change))).toMatchObject({
      seq: 2,
      problem: expect.any(String),
    });
  });

  it("notices missing, moved and foreign entries", () => {
    const { content } = statement;
    expect(verifyStatement(withRows(content.toSpliced(3, 1)))).toMatchObject({ seq: 4 });
    expect(verifyStatement(withRows(content.toReversed()))).toMatchObject({ seq: 1 });
    expect(verifyStatement(withRows([...content, null]))).toMatchObject({ seq: 17 });
    const stranger = { ...statement, holderId: statement.merchantId };
    expect(verifyStatement(stranger)).toMatchObject({ seq: 1 });
  });

  it("notices that the end was cut off", () => {
    const { problem } = verifyStatement(withRows(statement.content.slice(0, -1)));
    expect(problem).toContain("does not end with");
  });
});

describe("compareStatements", () => {
  it("finds an earlier record at the beginning of a later one", () => {
    for (const seq of [0, 1, 7, 16]) expect(compareStatements(statement, upTo(seq))).toBeNull();
  });

  it("notices that entries went missing since", () => {
    expect(compareStatements(upTo(7), statement)).toContain("entry 8 is not the one");
  });

  it("refuses an earlier file that proves nothing", () => {
    expect(compareStatements(statement, changed(1, { kind: "bonus" }))).toContain("does not hold");
    const other = { ...upTo(0), holderId: statement.merchantId };
    expect(compareStatements(statement, other)).toContain("another account");
  });
});

describe("the program", () => {
  const made = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
  });

  function run(...texts) {
    const folder = mkdtempSync(path.join(tmpdir(), "statement-"));
    made.push(folder);
    const names = texts.map((text, index) => {
      const name = path.join(folder, `${index}.json`);
      writeFileSync(name, text);
      return name;
    });
    const script = path.join(import.meta.dirname, "verify-statement.mjs");
    return spawnSync(process.execPath, [script, ...names], { encoding: "utf8" });
  }

  it("says that a record holds, and what is on the accounts", () => {
    const { status, stdout } = run(JSON.stringify(statement), JSON.stringify(upTo(7)));
    expect(status).toBe(0);
    expect(stdout).toBe(`${report(statement, upTo(7)).text}\n`);
    expect(stdout).toContain("HOLDS: 16 entries");
    expect(stdout).toContain("The first 7 are those of the earlier file.");
    expect(stdout).toContain("Balance of main PHP: 350650\n");
    expect(stdout).toContain("Balance of points PTS: 12.5\n");
  });

  it("says which entry is wrong", () => {
    const { status, stdout } = run(JSON.stringify(changed(9, { currency: "USD" })));
    expect(status).toBe(1);
    expect(stdout).toContain("DOES NOT HOLD at entry 9:");
  });

  it("tells a broken record from a file that is none", () => {
    expect(run("{}")).toMatchObject({ status: 2, stdout: "" });
    expect(run("not JSON")).toMatchObject({ status: 2, stdout: "" });
    expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining("usage") });
  });
});
