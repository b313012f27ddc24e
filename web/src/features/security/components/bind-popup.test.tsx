// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, type FailureCode } from "@/lib/api/error";
import { setStage } from "@/lib/testing/stage";
import type { BindProps } from "../popups";
import BindPopup from "./bind-popup";

const { bind, sendBindCode, account, openPopup, warn } = vi.hoisted(() => ({
  bind: vi.fn(),
  sendBindCode: vi.fn(),
  account: { hasPassword: true, twoFactor: false },
  openPopup: vi.fn(),
  warn: vi.fn(),
}));
vi.mock("../api", () => ({ bind, sendBindCode }));
vi.mock("@/features/auth/session", () => ({ useSession: () => ({ member: account }) }));
vi.mock("@/features/auth/sign-in", () => ({ withProof: (send: () => unknown) => send() }));
vi.mock("@/lib/popup/popup", () => ({ openPopup, warn }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));
vi.mock("@/features/auth/countries", () => ({
  useCountries: () => ({ countries: [], usual: "63", isWhole: true }),
}));

const close = vi.fn();
const held = "m***@mail.example";
const refused = (code: FailureCode) => new ApiError(400, code, "");

describe("the popup that binds a contact", () => {
  const page = setStage();
  const { input } = page;
  const show = (props: Omit<BindProps, "what">, what: BindProps["what"] = "email") =>
    page.show(
      <QueryClientProvider client={new QueryClient()}>
        <BindPopup what={what} {...props} close={close} />
      </QueryClientProvider>,
    );
  const send = async (typed: Record<string, string>) => {
    await page.type(typed);
    await page.submit();
  };
  const filled = { email: "marikit@mail.example", verificationCode: "123456" };

  beforeEach(() => {
    vi.clearAllMocks();
    bind.mockResolvedValue(null);
    account.hasPassword = true;
    account.twoFactor = false;
  });

  it("asks for the password for a first contact", async () => {
    await show({ purpose: "add" });
    await send(filled);
    expect(bind).not.toHaveBeenCalled();
    await send({ password: " pancit " });
    expect(bind).toHaveBeenCalledWith({ ...filled, password: "pancit" });
    expect(close).toHaveBeenCalledOnce();
  });

  it("asks nobody who has none for one", async () => {
    account.hasPassword = false;
    await show({ purpose: "add" });
    expect(input("password")).toBeNull();
    await send(filled);
    expect(bind).toHaveBeenCalledWith(filled);
  });

  it.each([
    ["email", { email: "marikit@mail.example" }, { email: "marikit@mail.example.ph" }],
    ["mobile", { mobileNum: "9171234567" }, { mobileNum: "9171234568" }],
  ] as const)("sends a code to another contact at once: %s", async (what, wrong, right) => {
    sendBindCode.mockResolvedValue(5);
    await show({ purpose: "add" }, what);
    await page.type(wrong);
    await page.press("code.send");
    expect(page.button("code.again_in")?.disabled).toBe(true);
    await page.type(right);
    expect(page.button("code.send")?.disabled).toBe(false);
  });

  it.each(["add", "verify", "change"] as const)(
    "asks whoever has a second factor for a code of it: %s",
    async (purpose) => {
      account.twoFactor = true;
      await show({ purpose, held });
      const shown = { ...filled, ...(purpose !== "verify" && { password: "pancit" }) };
      await send(shown);
      expect(page.isWrong("twoFactorCode")).toBe(true);
      expect(bind).not.toHaveBeenCalled();
      await send({ twoFactorCode: "654321" });
      expect(bind).toHaveBeenCalledWith({ ...shown, twoFactorCode: "654321" });
    },
  );

  it("says a wrong password at its field", async () => {
    bind.mockRejectedValue(refused("member.wrong_password"));
    await show({ purpose: "change", held });
    await send({ ...filled, password: "adobo" });
    expect(page.isWrong("password")).toBe(true);
    expect(page.text()).toContain("error.wrong_password");
  });

  it.each([
    ["verification.code_invalid", "verificationCode", "error.code_invalid"],
    ["verification.code_expired", "verificationCode", "error.code_expired"],
    ["verification.phone_invalid", "mobileNum", "error.phone_invalid"],
  ] as const)("says %s at its field, %s", async (code, field, words) => {
    bind.mockRejectedValue(refused(code));
    await show({ purpose: "add" }, "mobile");
    await send({ mobileNum: "9171234567", verificationCode: "123456", password: "pancit" });
    expect(page.isWrong(field)).toBe(true);
    expect(page.text()).toContain(words);
    expect(document.querySelector("[role=alert]")).toBeNull();
  });

  it("tells that tries are used up for longer than requests are", async () => {
    bind.mockRejectedValue(new ApiError(429, "request.too_many", ""));
    await show({ purpose: "add" });
    await send({ ...filled, password: "adobo" });
    expect(document.querySelector("[role=alert]")?.textContent).toBe("error.too_many_tries");
  });

  const another = new ApiError(400, "input.invalid", "", { fields: { password: "required" } });

  it("asks for it where another contact than the held one is to be verified", async () => {
    bind.mockRejectedValueOnce(another);
    await show({ purpose: "verify", held });
    expect(input("password")).toBeNull();
    await send(filled);
    expect(bind).toHaveBeenCalledWith(filled);
    expect(page.text()).toContain("security.password_for_another");
    expect(document.activeElement).toBe(input("password"));
    await send({ password: "pancit" });
    expect(bind).toHaveBeenLastCalledWith({ ...filled, password: "pancit" });
    expect(close).toHaveBeenCalledOnce();
  });

  it("asks no more for it once the contact is typed anew", async () => {
    bind.mockRejectedValueOnce(another);
    await show({ purpose: "verify", held });
    await send(filled);
    expect(input("password")).not.toBeNull();
    await page.type({ email: "maria@mail.example" });
    expect(input("password")).toBeNull();
    await page.submit();
    expect(bind).toHaveBeenLastCalledWith({ ...filled, email: "maria@mail.example" });
  });

  it("rests after a quota is used up, and says of no code that it is on its way", async () => {
    sendBindCode.mockRejectedValueOnce(refused("verification.quota"));
    await show({ purpose: "add" });
    await page.type(filled);
    await page.press("code.send");
    expect(warn.mock.calls).toEqual([["error.unexpected", "error.quota"]]);
    expect(page.button("code.again_in")?.disabled).toBe(true);
    expect(page.text()).not.toContain("code.sent");
  });

  it("leads who has no password to a first one before a change", async () => {
    account.hasPassword = false;
    await show({ purpose: "change", held });
    expect(document.querySelector("form")).toBeNull();
    expect(page.text()).toContain("error.no_password");
    document.querySelector("button")?.click();
    expect(openPopup).toHaveBeenCalledWith("forgot", {});
    expect(close).toHaveBeenCalledOnce();
  });
});
