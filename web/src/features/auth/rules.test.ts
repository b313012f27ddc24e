import { describe, expect, it } from "vitest";
import type { RegisterRule } from "@/lib/api/types";
import { internationalOf } from "./phone-proof";
import { bodyOf } from "./registration";
import {
  type FormTerms,
  type RegisterValues,
  checkForm,
  dateFor,
  emptyForm,
  patternText,
  rangeText,
  shownFields,
  textOf,
  usualRules,
  yearsBetween,
} from "./rules";

const terms: FormTerms = {
  way: "username",
  codeNeeded: false,
  phoneService: false,
  passwordShown: true,
  invited: false,
  referred: false,
  minimumAge: 21,
};
const rule = (changed: Partial<RegisterRule> = {}): RegisterRule => ({
  enabled: true,
  required: false,
  minLength: 2,
  maxLength: 8,
  patternId: "any",
  acceptedPattern: "*",
  ...changed,
});
/** A house that does not ask for the birth date. */
const ageless = { ...usualRules, birthday: rule({ enabled: false }) };
const names = (rules: Record<string, RegisterRule>, changed: Partial<FormTerms> = {}) =>
  shownFields({ ...ageless, ...rules }, { ...terms, ...changed }).map(
    ({ name, required }) => `${name}${required ? "*" : ""}`,
  );

describe("shownFields", () => {
  it("shows what is enabled, and stars what is required", () => {
    const rules = {
      email: rule(),
      payeeName: rule({ required: true }),
      qqNum: rule({ enabled: false, required: true }),
    };
    expect(names(rules)).toEqual([
      "username*",
      "password*",
      "confirmPassword*",
      "payeeName*",
      "email",
    ]);
  });
  it("stars what is never left empty, whatever its rule says", () => {
    expect(names({ birthday: rule(), paymentPassword: rule(), captcha: rule() }).slice(3)).toEqual([
      "paymentPassword*",
      "birthday*",
      "captcha*",
    ]);
  });
  it("has no name in a registration by number, and passwords only by the switch", () => {
    expect(names({}, { way: "mobile" })).toEqual(["mobileNum*", "password*", "confirmPassword*"]);
    expect(names({}, { way: "mobile", passwordShown: false })).toEqual(["mobileNum*"]);
    expect(names({}, { passwordShown: false })).toContain("password*");
  });
  it("asks for a code beside a number that is to be proved", () => {
    expect(names({ mobileNum: rule() }, { codeNeeded: true }).slice(0, 3)).toEqual([
      "username*",
      "mobileNum",
      "verificationCode",
    ]);
    expect(names({}, { codeNeeded: true, way: "mobile" }).slice(0, 2)).toEqual([
      "mobileNum*",
      "verificationCode*",
    ]);
    expect(names({}, { codeNeeded: true })).not.toContain("verificationCode");
    expect(names({ mobileNum: rule(), verificationCode: rule() })).not.toContain(
      "verificationCode",
    );
  });
  it("has the phone service prove it instead, where there is one", () => {
    const served = { codeNeeded: true, phoneService: true };
    expect(names({ mobileNum: rule() }, served).slice(0, 3)).toEqual([
      "username*",
      "mobileNum",
      "idToken",
    ]);
    expect(names({}, { ...served, way: "mobile" }).slice(0, 2)).toEqual(["mobileNum*", "idToken*"]);
    expect(names({ mobileNum: rule() }, { phoneService: true })).not.toContain("idToken");
  });
  it("wants the code only where a number is given", () => {
    const asked = shownFields({ mobileNum: rule() }, { ...terms, codeNeeded: true }).filter(
      ({ name }) => name === "verificationCode",
    );
    const ticked = { ...emptyForm("63", 21), adult: true, terms: true };
    expect(checkForm(ticked, asked, terms, "2026-11-15")).toEqual({});
    expect(checkForm({ ...ticked, mobileNum: "9171234567" }, asked, terms, "2026-11-15")).toEqual({
      verificationCode: "error.code_missing",
    });
  });
  it("asks for no invitation that came with the link", () => {
    expect(names({ affiliateCode: rule() })).toContain("affiliateCode");
    expect(names({ affiliateCode: rule() }, { invited: true })).not.toContain("affiliateCode");
    const friends = { referralCode: rule({ required: true }) };
    expect(names(friends)).toContain("referralCode*");
    expect(names(friends, { referred: true })).not.toContain("referralCode*");
    expect(names({ referralCode: rule() })).not.toContain("referralCode");
  });
});

describe("checkForm", () => {
  const rules = {
    ...usualRules,
    email: rule({ patternId: "email", minLength: 6, maxLength: 40 }),
    birthday: rule({ patternId: "date_ymd", minLength: 10, maxLength: 10 }),
    mobileNum: rule({ patternId: "mobile", minLength: 7, maxLength: 11 }),
    captcha: rule({ patternId: "alphanumeric", minLength: 5, maxLength: 5 }),
    idNumber: rule({ required: true, minLength: 4, maxLength: 4 }),
  };
  const fields = shownFields(rules, terms);
  const good: RegisterValues = {
    ...emptyForm("63", 21),
    username: " Marikit ",
    password: "correct horse",
    confirmPassword: "correct horse",
    idNumber: "1234",
    birthday: "1990-05-17",
    captcha: "mango papaya",
    ofAge: true,
    adult: true,
    terms: true,
  };
  const faults = (changed: Partial<RegisterValues>) =>
    checkForm({ ...good, ...changed }, fields, terms, "2026-11-15");

  it("takes a good form", () => {
    expect(faults({})).toEqual({});
  });
  it.each([
    [{ username: "  " }, { username: "field.required" }],
    [{ username: "abc" }, { username: "field.too_short" }],
    [{ username: "a".repeat(17) }, { username: "field.too_long" }],
    [{ username: "1abcd" }, { username: "pattern.letter_first" }],
    [{ password: "short", confirmPassword: "short" }, { password: "field.too_short" }],
    [{ confirmPassword: "" }, { confirmPassword: "field.required" }],
    [{ confirmPassword: "correct  horse" }, { confirmPassword: "field.mismatch" }],
    [{ confirmPassword: " correct horse " }, {}],
    [{ password: "short    ", confirmPassword: "short" }, { password: "field.too_short" }],
    [{ email: "nobody" }, { email: "pattern.email" }],
    [{ mobileNum: "12" }, { mobileNum: "field.phone_digits" }],
    [{ mobileNum: "9171234567890" }, { mobileNum: "field.phone_digits" }],
    [{ mobileNum: "nine one seven" }, { mobileNum: "field.phone_digits" }],
    [{ mobileNum: "(0917) 123-45.67" }, {}],
    [{ mobileNum: "+63 0917 123 4567" }, {}],
    [{ mobileNum: "+84 912 345 678" }, { mobileNum: "field.phone_invalid" }],
    [{ mobileNum: "+63" }, { mobileNum: "field.phone_invalid" }],
    [{ captcha: " " }, { captcha: "field.required" }],
    [{ idNumber: "" }, { idNumber: "field.required" }],
    [{ idNumber: "12345" }, { idNumber: "field.too_long" }],
    [{ birthday: "2005-11-16", ofAge: true }, { birthday: "field.too_young" }],
    [{ birthday: "", ofAge: false }, { birthday: "field.required" }],
    [{ birthday: "2005-11-15", ofAge: false }, { ofAge: "field.of_age_required" }],
    [{ birthday: "2005-11-15", ofAge: true }, {}],
    [
      { adult: false, terms: false },
      { adult: "field.adult_required", terms: "field.terms_required" },
    ],
  ])("names the fault of %j", (changed, expected) => {
    expect(faults(changed)).toEqual(expected);
  });

  it.each([
    ["address", "field.address_missing"],
    ["nationality", "field.nationality_missing"],
    ["occupation", "field.occupation_missing"],
    ["sourceOfIncome", "field.income_missing"],
    ["line", "field.line_missing"],
    ["mobileNum", "error.phone_missing"],
    ["payeeName", "field.required"],
  ] as const)("asks for %s in words of its own: %s", (name, words) => {
    const asked = shownFields({ [name]: rule({ required: true }) }, terms);
    const empty = checkForm({ ...good, [name]: " " }, asked, terms, "2026-11-15");
    expect(empty).toEqual({ [name]: words });
  });

  it("sends only what was filled in, without spaces around it", () => {
    const values = { ...good, password: " a b ", confirmPassword: " a b " };
    const typed = fields.map((field) => [field.name, textOf(values, field)] as const);
    const address = { href: "https://capiz.example/register?referralCode=R1#x", hostname: "h" };
    expect(bodyOf("username", typed, values, { referralCode: "R1" }, address)).toEqual({
      username: "Marikit",
      password: "a b",
      confirmPassword: "a b",
      idNumber: "1234",
      birthday: "1990-05-17",
      captcha: "mango papaya",
      ofAge: true,
      referralCode: "R1",
      adult: true,
      terms: true,
      login: true,
      domain: "h",
      registerUrl: "https://capiz.example/register",
      registerMethod: "WEB",
    });
  });

  it("sends no proof of a number that was taken out again", () => {
    const address = { href: "https://capiz.example/", hostname: "capiz.example" };
    const typed = [
      ["mobileNum", ""],
      ["verificationCode", "123456"],
      ["idToken", "a.b.c"],
    ] as const;
    const body = bodyOf("username", typed, good, {}, address);
    for (const name of ["verificationCode", "idToken", "channel"]) {
      expect(Object.keys(body)).not.toContain(name);
    }
  });

  it.each([
    [[], undefined],
    [[["verificationCode", "123456"]], "SMS"],
    [[["idToken", "a.b.c"]], "SERVICE"],
  ] as const)("tells by what a number is proved: %j, %s", (proof, channel) => {
    const typed = [["mobileNum", "9171234567"], ...proof] as const;
    const address = { href: "https://capiz.example/", hostname: "capiz.example" };
    expect(bodyOf("mobile", typed, good, {}, address)["channel"]).toBe(channel);
  });

  it("makes the number the name in a registration by number", () => {
    const typed = [["mobileNum", "9171234567"]] as const;
    const address = { href: "https://capiz.example/", hostname: "capiz.example" };
    expect(bodyOf("mobile", typed, good, {}, address)).toMatchObject({
      username: "9171234567",
      mobileNum: "9171234567",
      countryDialingCode: "63",
    });
  });
});

describe("the small parts", () => {
  it("write a number for abroad", () => {
    const number = { mobileNum: "0917 123-4567", countryDialingCode: "+63" };
    expect(internationalOf(number)).toBe("+639171234567");
    expect(internationalOf({ ...number, mobileNum: "+63 (0)917 123 4567" })).toBe("+639171234567");
  });
  const t = (key: string, ...args: readonly (string | number)[]) => [key, ...args].join("|");
  it("give one number where least and most are the same", () => {
    expect(rangeText({ minLength: 6, maxLength: 6 }, t)).toBe("6");
    expect(rangeText({ minLength: 4, maxLength: 16 }, t)).toBe("field.range|4|16");
  });
  it("count whole years", () => {
    expect(yearsBetween("2005-11-15", "2026-11-15")).toBe(21);
    expect(yearsBetween("2005-11-16", "2026-11-15")).toBe(20);
    expect(yearsBetween("2004-02-29", "2025-02-28")).toBe(20);
  });
  it("write a date as the rule wants it", () => {
    expect(dateFor("date_mdy", "2005-11-16")).toBe("11-16-2005");
    expect(dateFor("date_ymd", "2005-11-16")).toBe("2005-11-16");
    expect(dateFor("date_mdy", "")).toBe("");
  });
  it("have a sentence for every pattern, and one for those of tomorrow", () => {
    expect(patternText("mixed")).toBe("pattern.mixed");
    expect(patternText("from-tomorrow")).toBe("field.invalid");
  });
});
