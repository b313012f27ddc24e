// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter } from "@tanstack/react-router";
import { describe, expect, it } from "vitest";
import { keptOf, readSearch, target, unwrittenOf, writeSearch, writtenOf } from "./address";

describe("the address", () => {
  it("keeps texts as they are typed", () => {
    const search = { person: "123", name: "role:a b&c", state: "true" };
    expect(readSearch(writeSearch(search))).toEqual(search);
  });
  it("has nothing for what is empty", () => {
    expect(writeSearch({ text: "", role: undefined })).toBe("");
    expect(writeSearch({ text: "x", role: undefined })).toBe("?text=x");
  });
  it("has nothing that people are looked for by, and nothing of it is read from there", () => {
    const people = { who: "0917", after: "id~+639", actor: "ana", subject: "person:1", to: "a@b" };
    const search = { ...people, state: "frozen" };
    expect(writeSearch(search)).toBe("?state=frozen");
    expect(writtenOf(search)).toEqual({ state: "frozen" });
    expect(unwrittenOf(search)).toEqual(people);
    expect(readSearch(`?${new URLSearchParams(search)}`)).toEqual({ state: "frozen" });
  });
});

describe("the history", () => {
  it("keeps nothing beside an address where nobody is looked for", () => {
    expect(keptOf({ state: "frozen", who: "", after: undefined })).toEqual({});
    expect(keptOf({ state: "frozen", who: "ana" })).toEqual({ sought: { who: "ana" } });
  });
  it("has no second entry for the page that is open, and one for who is looked for on it", async () => {
    const history = createMemoryHistory({ initialEntries: ["/members"] });
    const routeTree = createRootRoute();
    const router = createRouter({
      routeTree,
      history,
      parseSearch: readSearch,
      stringifySearch: writeSearch,
    });
    await router.load();
    await router.navigate(target("/members", {}));
    await router.navigate(target("/members", { who: "" }));
    expect(history.length).toBe(1);
    await router.navigate(target("/members", { who: "ana" }));
    await router.navigate(target("/members", { who: "ana" }));
    expect(history.length).toBe(2);
    expect(history.location.href).toBe("/members");
    await router.navigate(target("/members", {}));
    expect(history.length).toBe(3);
  });
});
