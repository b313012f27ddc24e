import { describe, expect, it } from "vitest";
import { unwrittenOf } from "../address";
import { olderThan, queryOf, readFilter, subjectSearch } from "./filter";

describe("the trail's filter", () => {
  it("is what the address says, and empty otherwise", () => {
    expect(readFilter({ actor: "ana", before: "7" })).toEqual({
      actor: "ana",
      action: "",
      subject: "",
      from: "",
      until: "",
    });
  });

  it("has ids and roles in the address, and nothing else of whom it was about", () => {
    const member = "member:0197c000-0000-7000-8000-00000000cafe";
    for (const subject of [member, "role:auditor"]) {
      expect(subjectSearch(subject)).toEqual({ of: subject });
      expect(readFilter({ of: subject }).subject).toBe(subject);
    }
    for (const subject of ["person:", "person:ana.cruz", "role:", `${member} or so`, "", "ana"]) {
      expect(unwrittenOf(subjectSearch(subject))).toEqual({ subject });
      expect(readFilter({ of: subject }).subject).toBe("");
    }
  });

  it("has every space that is typed, and asks for none around", () => {
    for (const typed of ["ana ", " ana", "ana  of", "role:auditor ", " role:auditor"]) {
      const search = subjectSearch(typed);
      expect(readFilter(search).subject).toBe(typed);
      expect(queryOf(search)).toEqual({ subject: typed.trim() });
    }
    expect(subjectSearch("role:auditor ")).toEqual({ of: "role:auditor " });
  });

  it("asks for whole days, the last one included", () => {
    const { from, until } = queryOf({ from: "2026-11-01", until: "2026-11-01" });
    expect(from).toBe(new Date(2026, 10, 1).toISOString());
    expect(until).toBe(new Date(2026, 10, 2).toISOString());
  });

  it("leaves out what is empty or no day", () => {
    expect(queryOf({ actor: "  ", from: "yesterday", until: "2026-02-30" })).toEqual({});
  });

  it("takes a row's number only where it is one", () => {
    expect(olderThan({ before: "51" })).toBe(51);
    for (const before of ["", "0", "-3", "1.5", "x", "99999999999999999999"]) {
      expect(olderThan({ before })).toBeUndefined();
    }
  });
});
