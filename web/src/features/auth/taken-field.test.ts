import { describe, expect, it } from "vitest";
import { ApiError, type FailureCode } from "@/lib/api/error";
import { takenField } from "./taken-field";

const refused = (code: FailureCode, way: "username" | "mobile" = "username") =>
  takenField(new ApiError(400, code, ""), way);

describe("the field that a refusal is about", () => {
  it.each<[FailureCode, string, string]>([
    ["member.name_taken", "username", "error.name_taken"],
    ["member.mobile_taken", "mobileNum", "error.mobile_taken"],
    ["member.email_taken", "email", "error.email_taken"],
    ["verification.code_missing", "verificationCode", "error.code_missing"],
    ["verification.code_invalid", "verificationCode", "error.code_invalid"],
    ["verification.code_expired", "verificationCode", "error.code_expired"],
    ["verification.phone_missing", "mobileNum", "error.phone_missing"],
    ["verification.phone_invalid", "mobileNum", "error.phone_invalid"],
    ["session.phone_unverified", "idToken", "error.phone_unverified"],
    ["session.captcha", "captcha", "error.captcha"],
  ])("%s is about %s: %s", (code, name, text) => {
    expect(refused(code)).toEqual({ name, text });
  });

  it("is the number where that is the name", () => {
    const text = "error.mobile_taken";
    expect(refused("member.name_taken", "mobile")).toEqual({ name: "mobileNum", text });
  });

  it("is none where a refusal is about none", () => {
    expect(refused("request.too_many")).toBeNull();
    expect(takenField(new Error("no line"), "username")).toBeNull();
  });
});
