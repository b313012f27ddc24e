import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/api/error";
import type { MemberInfo } from "@/lib/api/types";
import {
  checkFields,
  checkRepeated,
  code,
  contactText,
  email,
  looksLikeMobile,
  mobile,
  required,
  withoutGaps,
} from "./checks";
import { countriesOf } from "./countries";
import { mustChange, noteFirstLogin, welcomeText } from "./enter";
import { dropInvitation, invitation, invitationLink, noteInvitation } from "./invitation";
import { sessionOf } from "./session";
import { asksCaptcha } from "./sign-in";
import { pauseAfter } from "./sms";
import { carried } from "./use-invitation";

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

describe("noteFirstLogin", () => {
  it.each([
    ["register", true, null, "1"],
    ["login", true, null, "1"],
    ["login", false, "1", null],
    ["trial", true, null, null],
    ["trial", true, "1", null],
  ] as const)("of a %s, first: %s, found %s, leaves %s", (kind, isFirst, found, left) => {
    let mark: string | null = found;
    noteFirstLogin(
      kind,
      { firstTimeLogin: isFirst },
      {
        setItem: (_name, value) => {
          mark = value;
        },
        removeItem: () => {
          mark = null;
        },
      },
    );
    expect(mark).toBe(left);
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
    ["sms", undefined, fresh, false],
  ] as const)("%s with %s, %j: %s", (kind, password, view, expected) => {
    expect(mustChange(kind, password, view)).toBe(expected);
  });
});

describe("the checks of forms", () => {
  it("name one fault for each field that has one", () => {
    const check = checkFields({ username: required, password: required, email, code });
    expect(check({ username: "", password: " ", email: "nobody", code: "" })).toEqual({
      username: "field.required",
      password: "field.required",
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
    expect(check({ one: " good", two: "good " })).toEqual({});
    expect(check({ one: " bad ", two: " " })).toEqual({
      one: "field.common",
      two: "field.required",
    });
  });
  it("tell a missing number from a wrong one", () => {
    expect(mobile("  ")).toBe("error.phone_missing");
    expect(mobile("12")).toBe("field.phone_invalid");
    expect(mobile("0917 123 4567")).toBeNull();
  });
  it("have words for contacts that are somebody's", () => {
    expect(contactText("email", "taken")).toBe("error.email_taken");
    expect(contactText("mobileNum", "taken")).toBe("error.mobile_taken");
    expect(contactText("username", "taken")).toBeUndefined();
    expect(contactText("mobileNum", "required")).toBeUndefined();
  });
});

describe("looksLikeMobile", () => {
  it.each([
    ["9171234567", true],
    ["0917 123 4567", true],
    ["(917) 123-4567", true],
    ["12345", false],
    ["1234567890123456", false],
    ["+63 917 123 4567", true],
    ["++639171234567", false],
    ["917+1234567", false],
    ["0917\t1234567", false],
    ["nine", false],
  ])("%s: %s", (text, good) => {
    expect(looksLikeMobile(text)).toBe(good);
  });
  it("takes out what people write between digits, and nothing else", () => {
    expect(withoutGaps(" (0917) 123-45.67 ")).toBe("09171234567");
    expect(withoutGaps("0917/123 4567")).toBe("0917/1234567");
  });
});

describe("countriesOf", () => {
  const list = [
    { countryCode: "AF", countryDialingCode: "93", name: "Afghanistan" },
    { countryCode: "PH", countryDialingCode: "63", name: "Philippines" },
  ];
  const codes = (usual: string, given: typeof list | undefined) =>
    countriesOf(usual, given).map(
      ({ countryCode, countryDialingCode }) => `${countryDialingCode}${countryCode}`,
    );
  it("puts the merchant's own first, before and after the list is there", () => {
    expect(codes("63", undefined)).toEqual(["63"]);
    expect(codes("63", list)).toEqual(["63PH", "93AF"]);
    expect(codes("84", list)).toEqual(["84", "93AF", "63PH"]);
  });
});

describe("the invitation of a link", () => {
  const storage = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
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
  it("is forgotten once it turned out to be nobody's", () => {
    const visit = storage();
    noteInvitation("?affiliateCode=ABCD1&referralCode=ZZ99", visit);
    dropInvitation("affiliateCode", visit);
    expect(invitation(visit)).toEqual({ referralCode: "ZZ99" });
  });
  it("goes with a form that takes it", () => {
    const rule = (enabled: boolean) => ({
      enabled,
      required: false,
      minLength: 4,
      maxLength: 8,
      patternId: "alphanumeric",
      acceptedPattern: "*",
    });
    const codes = { affiliateCode: "not one!", referralCode: "ABCD1" };
    const on = { affiliateCode: rule(true), referralCode: rule(true) };
    expect(carried(codes, {})).toEqual(codes);
    // Whether an agent has the code is the server's to say.
    expect(carried(codes, on)).toEqual(codes);
    expect(carried({ referralCode: "ABC" }, on)).toEqual({});
    expect(carried({ referralCode: "AB-CD-1" }, on)).toEqual({});
    const off = { affiliateCode: rule(false), referralCode: rule(false) };
    expect(carried(codes, off)).toEqual({});
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
