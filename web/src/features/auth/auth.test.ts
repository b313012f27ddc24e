import { safeParse } from "zod/mini";
import { describe, expect, it } from "vitest";
import type { MemberInfo } from "@/lib/api/types";
import { welcomeText } from "./enter";
import { registerSchema } from "./schema";
import { sessionOf } from "./session";

const member: MemberInfo = {
  id: "m",
  account: "marikit",
  nickname: "marikit",
  type: 0,
  isAgent: false,
  isTrial: false,
  currency: "PHP",
  registeredAt: "2026-11-01T00:00:00Z",
  lastLoginAt: "2026-11-14T10:00:00Z",
  icon: "capiz",
  mobileVerified: false,
  emailVerified: false,
  hasBirthday: false,
  hasIdNumber: false,
  hasPassword: true,
  passwordExpired: false,
  hasPaymentPassword: false,
  twoFactor: false,
};

describe("sessionOf", () => {
  it("is unknown until the member info is there", () => {
    expect(sessionOf(null, undefined, false).kind).toBe("visitor");
    expect(sessionOf("t", undefined, false).kind).toBe("unknown");
    expect(sessionOf("t", undefined, true).kind).toBe("visitor");
    expect(sessionOf("t", member, false).kind).toBe("member");
    expect(sessionOf("t", { ...member, isTrial: true }, false).kind).toBe("trial");
  });
  it("forgets a member as soon as the token is gone", () => {
    expect(sessionOf(null, member, false)).toEqual({ kind: "visitor", member: null });
  });
});

describe("welcomeText", () => {
  const t = (key: string, ...args: readonly (string | number)[]) => [key, ...args].join("|");
  it("tells the last log-in in the merchant's zone", () => {
    expect(welcomeText("login", member, "Asia/Manila", t)).toBe(
      "auth.welcome_back|14/11/2026 18:00:00",
    );
    expect(welcomeText("login", { ...member, lastLoginAt: null }, "UTC", t)).toBe(
      "auth.welcome_first|marikit",
    );
    expect(welcomeText("trial", member, "UTC", t)).toBe("auth.welcome_trial");
  });
});

describe("registerSchema", () => {
  const schema = registerSchema({
    username: { minLength: 4, maxLength: 8 },
    password: { minLength: 8, maxLength: 20 },
  });
  const form = {
    username: " Marikit ",
    password: "correct horse",
    confirmPassword: "correct horse",
    adult: true,
    terms: true,
  };
  const faults = (changed: Partial<typeof form>) => {
    const result = safeParse(schema, { ...form, ...changed });
    return result.success
      ? []
      : result.error.issues.map((issue) => `${issue.path[0]?.toString()} ${issue.message}`);
  };

  it("takes a good form and trims the name", () => {
    const result = safeParse(schema, form);
    expect(result.success && result.data.username).toBe("Marikit");
  });
  it.each([
    [{ username: "" }, ["username field.required"]],
    [{ username: "abc" }, ["username field.too_short"]],
    [{ username: "abcdefghi" }, ["username field.too_long"]],
    [{ username: "1abcd" }, ["username field.pattern"]],
    [
      { password: "", confirmPassword: "" },
      ["password field.required", "confirmPassword field.required"],
    ],
    [{ confirmPassword: "other" }, ["confirmPassword field.mismatch"]],
    [{ adult: false }, ["adult field.adult_required"]],
    [{ terms: false }, ["terms field.terms_required"]],
  ])("names the fault of %j", (changed, expected) => {
    expect(faults(changed)).toEqual(expected);
  });
});
