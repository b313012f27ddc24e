import { describe, expect, it } from "vitest";
import { type Jump, findJumps, jumpToFound, jumpToPerson } from "./jumps";

const page = (label: string): Jump => ({
  id: label,
  kind: "page",
  label,
  more: "",
  to: "/",
  search: {},
});
const person = (name: string, username: string): Jump =>
  jumpToPerson({
    id: username,
    name,
    username,
    roles: [],
    isActive: true,
    createdAt: "2026-11-15T12:00:00Z",
    lastLoginAt: null,
  });
const all = [
  page("Audit trail"),
  page("People"),
  person("Aurora Mendoza", "auditor"),
  person("Niño Bautista", "content"),
  person("Juana Paulino", "j.aulino"),
];
const found = (typed: string) => findJumps(all, typed).map(({ label }) => label);

describe("findJumps", () => {
  it("offers the pages where nothing is typed", () => {
    expect(found("  ")).toEqual(["Audit trail", "People"]);
  });
  it("puts what begins so before what only has a word or a part that does", () => {
    expect(found("au")).toEqual([
      "Audit trail",
      "Aurora Mendoza",
      "Juana Paulino",
      "Niño Bautista",
    ]);
    expect(found("mendoza")).toEqual(["Aurora Mendoza"]);
  });
  it("finds by the username, and without accents or case", () => {
    expect(found("AUDITOR")).toEqual(["Aurora Mendoza"]);
    expect(found("nino")).toEqual(["Niño Bautista"]);
  });
  it("finds nothing where nothing fits, and shows a few only", () => {
    expect(found("zzz")).toEqual([]);
    expect(findJumps(all, "a", 2)).toHaveLength(2);
  });
});

describe("jumpToFound", () => {
  const thing = (kind: string, seq: number | null = null) => ({
    kind,
    id: "7",
    seq,
    label: "maria",
    more: "",
  });
  it("leads to members, rounds and transfers", () => {
    const to = (kind: string, seq?: number) =>
      jumpToFound(thing(kind, seq), undefined).map(({ to, search }) => ({ to, search }));
    expect(to("member")).toEqual([{ to: "/members/7", search: {} }]);
    expect(to("round")).toEqual([{ to: "/rounds/7", search: {} }]);
    expect(to("transfer", 3)).toEqual([
      { to: "/members/7", search: { tab: "wallet", transfer: "3" } },
    ]);
  });
  it("leads to requests where they have a page, and nowhere with what it does not know", () => {
    expect(jumpToFound(thing("approval"), undefined)).toEqual([]);
    expect(jumpToFound(thing("approval"), "/")[0]?.search).toEqual({ approval: "7" });
    expect(jumpToFound(thing("ghost"), "/")).toEqual([]);
  });
});
