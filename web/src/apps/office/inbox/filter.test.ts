import { describe, expect, it } from "vitest";
import { queryOf, stateOf } from "./filter";
import { answerFault, applicationStates, feedbackStates, languageText, stateText } from "./words";

describe("the filter of the inbox", () => {
  it("shows what waits unless the address asks for others", () => {
    expect(queryOf({}, feedbackStates)).toEqual({ limit: 50, status: "OPEN" });
    expect(queryOf({ status: "ACCEPTED" }, feedbackStates)).toEqual({ limit: 50, status: "OPEN" });
    expect(queryOf({ status: "ACCEPTED" }, applicationStates).status).toBe("ACCEPTED");
    expect(queryOf({ status: "all" }, feedbackStates)).toEqual({ limit: 50 });
    expect(stateOf({ status: "all" }, feedbackStates)).toBe("all");
  });
  it("goes on from a row, not from nonsense", () => {
    const before = "0197c000-0000-7000-8000-000000000000";
    expect(queryOf({ before }, feedbackStates).before).toBe(before);
    expect(queryOf({ before: "7" }, feedbackStates).before).toBeUndefined();
  });
});

describe("the words of the inbox", () => {
  it("show a code that they do not know as it is written", () => {
    expect(stateText("ODD", (key) => key)).toBe("ODD");
    expect(languageText("TY")).toBe("Tagalog");
    expect(languageText("XX")).toBe("XX");
  });
  it("ask for an answer that says something", () => {
    expect(answerFault("  ")).toEqual({ answer: "letters.answer_rule" });
    expect(answerFault("a".repeat(2001))).toEqual({ answer: "letters.answer_rule" });
    expect(answerFault("Thank you.")).toEqual({});
  });
});
