import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/api/error";
import type { MemberInfo } from "@/lib/api/types";
import {
  checkFields,
  checkRepeated,
  code,
  email,
  looksLikeMobile,
  mobile,
  required,
  secret,
} from "./checks";
import { mustChange, welcomeText } from "./enter";
import { invitation, invitationLink, noteInvitation } from "./invitation";
import { sessionOf } from "./session";
import { asksCaptcha } from "./sign-in";
import { pauseAfter } from "./sms";

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
  toComplete: false,
  language: null,
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

describe("mustChange", () => {
  const fresh = { passwordExpired: false };
  const expired = { passwordExpired: true };
  it.each([
    ["login", "123456", fresh, true],
    ["login", "correct horse", fresh, false],
    ["login", "correct horse", expired, true],
    ["register", "123456", fresh, false],
    ["sms", undefined, expired, true],
    ["social", undefined, expired, true],
    ["sms", undefined, fresh, false],
  ] as const)("%s with %s, %j: %s", (kind, password, view, expected) => {
    expect(mustChange(kind, password, view)).toBe(expected);
  });
});

describe("the checks of forms", () => {
  it("name one fault for each field that has one", () => {
    const check = checkFields({ username: required, password: secret, email, code });
    expect(check({ username: " ", password: " ", email: "nobody", code: "" })).toEqual({
      username: "field.required",
      email: "field.email_invalid",
      code: "error.code_missing",
    });
    expect(check({ username: "a", password: "b", email: " a@b.ph ", code: "1" })).toEqual({});
  });
  it("want a new secret twice", () => {
    const check = checkRepeated("one", "two", (text) => (text === "bad" ? "field.common" : null));
    expect(check({ one: "bad", two: "" })).toEqual({ one: "field.common", two: "field.required" });
    expect(check({ one: "good", two: "other" })).toEqual({ two: "field.mismatch" });
    expect(check({ one: "good", two: "good" })).toEqual({});
  });
  it("tell a missing number from a wrong one", () => {
    expect(mobile("  ")).toBe("error.phone_missing");
    expect(mobile("12")).toBe("field.phone_invalid");
    expect(mobile("0917 123 4567")).toBeNull();
  });
});

describe("looksLikeMobile", () => {
  it.each([
    ["9171234567", true],
    ["0917 123 4567", true],
    ["(917) 123-4567", true],
    ["12345", false],
    ["1234567890123456", false],
    ["+639171234567", false],
    ["nine", false],
  ])("%s: %s", (text, good) => {
    expect(looksLikeMobile(text)).toBe(good);
  });
});

describe("the invitation of a link", () => {
  const storage = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    } as Storage;
  };
  it("is kept for the visit", () => {
    const visit = storage();
    noteInvitation("?affiliateCode=ABCD1&x=1", visit);
    noteInvitation("", visit);
    noteInvitation("?referralCode=%20ZZ99%20", visit);
    expect(invitation(visit)).toEqual({ affiliateCode: "ABCD1", referralCode: "ZZ99" });
  });
  it("is nothing where the link has none or nonsense", () => {
    const visit = storage();
    noteInvitation(`?affiliateCode=&referralCode=${"x".repeat(65)}`, visit);
    expect(invitation(visit)).toEqual({});
  });
  it("leads to a team where an agent made it, else to a recommendation", () => {
    const visit = storage();
    for (const isAgent of [true, false]) {
      noteInvitation(
        new URL(invitationLink("https://a.example", "QRST2345", isAgent)).search,
        visit,
      );
    }
    expect(invitation(visit)).toEqual({ affiliateCode: "QRST2345", referralCode: "QRST2345" });
  });
});

describe("pauseAfter", () => {
  it.each([
    [1, 60],
    [5, 300],
    [0, 60],
  ])("a code of %d minutes rests the button for %d s", (minutes, seconds) => {
    expect(pauseAfter(minutes)).toBe(seconds);
  });
});

describe("asksCaptcha", () => {
  it("looks at the answer's value and code", () => {
    const refusal = (value: unknown) =>
      new ApiError(400, "session.wrong_credentials", "", { value });
    expect(asksCaptcha(refusal({ captcha: true }))).toBe(true);
    expect(asksCaptcha(refusal({ captcha: false }))).toBe(false);
    expect(asksCaptcha(refusal(null))).toBe(false);
    expect(asksCaptcha(new ApiError(400, "session.captcha", ""))).toBe(true);
    expect(asksCaptcha(new Error("other"))).toBe(false);
  });
});
