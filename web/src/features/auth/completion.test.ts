import { describe, expect, it } from "vitest";
import type { RegisterRule } from "@/lib/api/types";
import { type NumberProof, completionFields } from "./completion";
import type { TextField } from "./rules";

const rule = (changed: Partial<RegisterRule> = {}): RegisterRule => ({
  enabled: true,
  required: false,
  minLength: 2,
  maxLength: 8,
  patternId: "any",
  acceptedPattern: "*",
  ...changed,
});

describe("completionFields", () => {
  const fields = (
    rules: Record<string, RegisterRule>,
    known: readonly TextField[] = [],
    invited = false,
    proof: NumberProof = null,
  ) =>
    completionFields(rules, { known: new Set(known), invited, proof }).map(
      ({ name, required }) => `${name}${required ? "*" : ""}`,
    );
  it("always wants the birth date, unless it is known or no form has it", () => {
    expect(fields({})).toEqual(["birthday*"]);
    expect(fields({ birthday: rule() })).toEqual(["birthday*"]);
    expect(fields({ birthday: rule({ enabled: false }) })).toEqual([]);
    expect(fields({ birthday: rule() }, ["birthday"])).toEqual([]);
  });
  it("asks for an invitation as the rule says, unless the link brought one", () => {
    const born: TextField[] = ["birthday"];
    expect(fields({ affiliateCode: rule() }, born)).toEqual(["affiliateCode"]);
    expect(fields({ affiliateCode: rule({ required: true }) }, born)).toEqual(["affiliateCode*"]);
    expect(fields({ affiliateCode: rule() }, born, true)).toEqual([]);
    expect(fields({ affiliateCode: rule({ enabled: false }) }, born)).toEqual([]);
  });
  it("asks for whatever is required and not known, and for nothing that the provider stands for", () => {
    const must = rule({ required: true });
    const rules = { username: must, password: must, captcha: must, email: must, address: must };
    expect(fields({ ...rules, nickname: rule() }, ["birthday", "email"])).toEqual(["address*"]);
    expect(fields({ paymentPassword: rule() }, ["birthday"])).toEqual(["paymentPassword*"]);
    expect(fields({ mobileNum: must }, ["birthday"])).toEqual(["mobileNum*"]);
  });
  it("wants a number proved that it asks for, and no other", () => {
    const rules = { mobileNum: rule({ required: true }), verificationCode: rule() };
    const born: TextField[] = ["birthday"];
    const code = fields(rules, born, false, "verificationCode");
    expect(code).toEqual(["mobileNum*", "verificationCode*"]);
    expect(fields(rules, born, false, "idToken")).toEqual(["mobileNum*", "idToken*"]);
    expect(fields(rules, [...born, "mobileNum"], false, "verificationCode")).toEqual([]);
    expect(fields({ mobileNum: rule() }, born, false, "verificationCode")).toEqual([]);
  });
});
