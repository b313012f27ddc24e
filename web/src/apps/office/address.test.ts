import { describe, expect, it } from "vitest";
import { readSearch, unwrittenOf, writeSearch, writtenOf } from "./address";

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
