import { describe, expect, it } from "vitest";
import { applicationFaults } from "./model";

const form = {
  name: "Ana Reyes",
  contactKind: "EMAIL",
  contact: "ana@example.ph",
  audience: "A page about fishing, 4,000 readers.",
  message: "",
} as const;

describe("an application", () => {
  it("needs a name, a contact and an audience, and may do without a message", () => {
    expect(applicationFaults(form)).toEqual({});
    expect(applicationFaults({ ...form, name: " ", contact: "", audience: "" })).toEqual({
      name: "field.required",
      contact: "field.required",
      audience: "field.required",
    });
  });
  it("keeps to its bounds", () => {
    expect(applicationFaults({ ...form, name: "A" })).toEqual({ name: "join.bounds" });
    expect(applicationFaults({ ...form, message: "x".repeat(1001) })).toEqual({
      message: "join.bounds",
    });
  });
});
