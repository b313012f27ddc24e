// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { setStage } from "@/lib/testing/stage";
import { ForgotMobileForm } from "./forgot-mobile-form";
import SmsLoginForm from "./sms-login-form";

const { send, enter, sendSms } = vi.hoisted(() => ({
  send: vi.fn(),
  enter: vi.fn(),
  sendSms: vi.fn(),
}));
vi.mock("../api-login", () => ({ loginBySms: send, sendSms }));
vi.mock("../api-recovery", () => ({ recoverByMobile: send }));
vi.mock("../sign-in", () => ({ door: () => ({}), withProof: (send: () => unknown) => send() }));
vi.mock("../use-enter", () => ({ useEnter: () => enter }));
vi.mock("../countries", () => ({
  useCountries: () => ({ countries: [], usual: "63", isWhole: true }),
}));
vi.mock("../field-rules", () => ({
  usePasswordRule: () => ({ check: () => null, say: (text?: string) => text, hint: "" }),
}));
vi.mock("@/lib/i18n/i18n", () => ({
  useT: () => (key: string) => key,
  useLanguageTag: () => "en",
}));

const close = vi.fn();
const typed = { mobileNum: "9171234567", verificationCode: "123456" };

describe("forms with a code", () => {
  const page = setStage();
  beforeEach(() => {
    vi.clearAllMocks();
    const boot = sampleBoot("EN");
    setBoot({ ...boot, phoneService: null, switches: { ...boot.switches, REMEMBERPASS3: true } });
  });

  describe.each([
    ["to log in", <SmsLoginForm key="sms" next={undefined} close={close} />, {}],
    ["for a new password", <ForgotMobileForm key="forgot" close={close} />, { newPassword: "x" }],
  ])("%s", (_, form, more) => {
    it.each([
      ["verification.code_invalid", "verificationCode", "error.code_invalid"],
      ["verification.code_expired", "verificationCode", "error.code_expired"],
      ["verification.phone_invalid", "mobileNum", "error.phone_invalid"],
    ] as const)("say %s at its field, %s", async (code, field, words) => {
      send.mockRejectedValue(new ApiError(400, code, ""));
      await page.show(form);
      await page.type({ ...typed, ...more });
      await page.submit();
      expect(page.isWrong(field)).toBe(true);
      expect(page.text()).toContain(words);
      expect(document.querySelector("[role=alert]")).toBeNull();
    });

    it("send a code to another number at once", async () => {
      sendSms.mockResolvedValue(5);
      await page.show(form);
      await page.type({ mobileNum: "9171234567" });
      await page.press("code.send");
      expect(page.button("code.again_in")?.disabled).toBe(true);
      await page.type({ mobileNum: "917 123-4567" });
      expect(page.button("code.again_in")?.disabled).toBe(true);
      await page.type({ mobileNum: "9171234568" });
      expect(page.button("code.send")?.disabled).toBe(false);
    });
  });

  it.each([
    [true, "mobileNum", "why"],
    [false, undefined, ""],
  ])("to log in begin with the number where they come first: %s", async (isFirst, name, words) => {
    await page.show(
      <dialog open>
        <SmsLoginForm next={undefined} close={close} isFirst={isFirst} refusal="why" />
      </dialog>,
    );
    expect(document.activeElement?.getAttribute("name") ?? undefined).toBe(name);
    expect(document.querySelector("[role=alert]")?.textContent ?? "").toBe(words);
  });

  it("leave it to the log-in that the number is remembered, once somebody is in", async () => {
    send.mockResolvedValue({ token: null, twoFactor: { ticket: "t1" } });
    await page.show(<SmsLoginForm next="/play/dice" close={close} />);
    await page.type(typed);
    await page.run(() => page.input("remember")?.click());
    await page.submit();
    const what = { mobileNum: "9171234567", countryDialingCode: "63" };
    expect(enter.mock.lastCall?.[2]).toEqual({
      next: "/play/dice",
      remember: { part: "number", what },
    });
  });
});
