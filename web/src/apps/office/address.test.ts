import { describe, expect, it } from "vitest";
import { readSearch, writeSearch } from "./address";

describe("the address", () => {
  it("keeps texts as they are typed", () => {
    const search = { actor: "123", subject: "role:a b&c", state: "true" };
    expect(readSearch(writeSearch(search))).toEqual(search);
  });
  it("has nothing for what is empty", () => {
    expect(writeSearch({ text: "", role: undefined })).toBe("");
    expect(writeSearch({ text: "x", role: undefined })).toBe("?text=x");
  });
});
