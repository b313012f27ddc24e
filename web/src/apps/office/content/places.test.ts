import { describe, expect, it } from "vitest";
import type { ContentRow } from "./api";
import { freeSlots, moved, placesOf, shownRows } from "./places";

const t = (key: string) => key;
const row = (id: string, slot: string, data = {}): ContentRow => ({
  id,
  kind: "banner",
  slot,
  position: 1,
  isShown: true,
  startsAt: null,
  endsAt: null,
  data,
  texts: { EN: { title: id } },
  version: 1,
  updatedAt: "2026-11-16T00:00:00Z",
  updatedBy: "content",
  state: "live",
});
const ids = (rows: readonly ContentRow[]) => rows.map(({ id }) => id);

describe("the pieces of a kind", () => {
  const rows = [row("a", "w_login"), row("b", "w_home"), row("c", "w_home"), row("d", "w_home")];
  const places = placesOf("banner", [], "EN", t);
  it("stand together by place", () => {
    expect(ids(shownRows(rows, "banner", undefined, places))).toEqual(["b", "c", "d", "a"]);
    expect(ids(shownRows(rows, "banner", "w_login", places))).toEqual(["a"]);
    expect(shownRows(rows, "banner", "nowhere", places)).toHaveLength(4);
  });
  it("move among those of their place", () => {
    expect(moved(rows, rows, row("c", "w_home"), "banner", -1)).toEqual(["c", "b", "d"]);
    expect(moved(rows, rows, row("b", "w_home"), "banner", 1)).toEqual(["c", "b", "d"]);
    expect(moved(rows, rows, row("d", "w_home"), "banner", 1)).toBeNull();
    expect(moved(rows, rows, row("a", "w_login"), "banner", -1)).toBeNull();
  });
  it("move past every other section of the help center", () => {
    const sections = [row("a", "account"), row("b", ""), row("c", "games")];
    expect(moved(sections, sections, row("c", "games"), "help_section", -1)).toEqual([
      "a",
      "c",
      "b",
    ]);
  });
  it("are one of each where a place has one", () => {
    expect(freeSlots("page", [row("x", "terms")]).map(({ value }) => value)).not.toContain("terms");
  });
});

describe("articles", () => {
  it("stand in sections, by name or number", () => {
    const sections = [row("1", "account"), row("2", "")];
    const places = placesOf("help_article", sections, "EN", t);
    expect(places.map(({ value }) => value)).toEqual(["account", "2"]);
    const articles = [row("x", "", { section: "2" }), row("y", "", { section: "account" })];
    expect(ids(shownRows(articles, "help_article", undefined, places))).toEqual(["y", "x"]);
  });
  it("move within their section, and the server is told of all", () => {
    const article = (id: string, section: string) => row(id, "", { section });
    const all = [article("a", "1"), article("b", "2"), article("c", "1")];
    expect(moved(all, all, article("c", "1"), "help_article", -1)).toEqual(["c", "a", "b"]);
    expect(moved(all, all, article("b", "2"), "help_article", 1)).toBeNull();
  });
});
