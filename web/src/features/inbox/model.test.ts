import { describe, expect, it } from "vitest";
import { feedbackFaults, lengthOf } from "./model";

const form = { questionType: "GAME", content: "The reels stood still.", contact: "" } as const;

describe("a message to the house", () => {
  it("is taken from a member without a contact, from a visitor with one", () => {
    expect(feedbackFaults(form, false)).toEqual({});
    expect(feedbackFaults(form, true)).toEqual({ contact: "field.required" });
    expect(feedbackFaults({ ...form, contact: "ana@example.ph" }, true)).toEqual({});
    expect(feedbackFaults({ ...form, contact: "a" }, false)).toEqual({
      contact: "inbox.contact_bounds",
    });
  });
  it("has 10 to 1,000 characters", () => {
    const content = (text: string) => feedbackFaults({ ...form, content: text }, false).content;
    expect(content("   ")).toBe("field.required");
    expect(content("too short")).toBe("inbox.content_bounds");
    expect(content("ten chars.")).toBeUndefined();
    expect(content("x".repeat(1000))).toBeUndefined();
    expect(content("x".repeat(1001))).toBe("inbox.content_bounds");
  });
  it("is counted as people count", () => {
    expect(lengthOf(" 🦪🦪 ")).toBe(2);
  });
});
