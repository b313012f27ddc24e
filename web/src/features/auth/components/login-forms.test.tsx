// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, type FailureCode } from "@/lib/api/error";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { setStage } from "@/lib/testing/stage";
import { cookieNames } from "../remember-cookies";
import { LoginForms } from "./login-forms";
import type { CaptchaDemand } from "./username-login-form";

const { logIn } = vi.hoisted(() => ({ logIn: vi.fn() }));
vi.mock("../log-in", () => ({ logIn }));
vi.mock("../use-enter", () => ({ useEnter: () => "enter" }));
vi.mock("../api-login", () => ({ fetchCaptcha: () => Promise.resolve("picture") }));
vi.mock("./sms-login-form", () => ({
  default: ({ isFirst }: { isFirst: boolean }) => `by a code${isFirst ? ", at first" : ""}`,
}));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));

const typed = { username: "marikit", password: "adobo", remember: false };

/** As the popup does that was opened to log in by mobile number. */
function Door() {
  const [demand, setDemand] = useState<CaptchaDemand>();
  return (
    <LoginForms
      key={demand ? "captcha" : "plain"}
      way="mobile"
      {...demand}
      onCaptcha={setDemand}
      close={() => undefined}
    />
  );
}

describe("the ways to log in", () => {
  const page = setStage();
  const logInByName = async (code: FailureCode) => {
    logIn.mockResolvedValue({ error: new ApiError(400, code, ""), asksCaptcha: true, typed });
    await page.show(
      <QueryClientProvider client={new QueryClient()}>
        <Door />
      </QueryClientProvider>,
    );
    expect(page.text()).toContain("by a code, at first");
    await page.press("auth.by_username");
    await page.type({ username: typed.username, password: typed.password });
    await page.submit();
  };
  const alert = () => document.querySelector("[role=alert]")?.textContent;

  beforeEach(() => {
    const boot = sampleBoot("EN");
    const open = { COMM3: true, MOBILEVERCODELOGIN3: true };
    setBoot({ ...boot, switches: { ...boot.switches, ...open } });
  });

  it("stay by username when a captcha is asked for, though the popup opened by mobile number", async () => {
    await logInByName("session.wrong_credentials");
    expect(page.input("captcha")).not.toBeNull();
    expect(page.input("username")?.value).toBe("marikit");
    expect(alert()).toBe("error.wrong_credentials");
  });

  it("say and fill in once what the new form begins with, however often one looks at the other way", async () => {
    await logInByName("session.wrong_credentials");
    const again = { error: new ApiError(400, "session.locked", ""), asksCaptcha: true, typed };
    logIn.mockResolvedValue(again);
    await page.type({ captcha: "abcde" });
    await page.submit();
    await page.type({ username: "dalisay", password: "sinigang" });
    for (const tab of ["auth.by_mobile", "auth.by_username"]) {
      page.button(tab)?.focus();
      await page.press(tab);
      expect(document.activeElement).toBe(page.button(tab));
    }
    expect(page.input("username")?.value).toBe("dalisay");
    expect(page.input("password")?.value).toBe("sinigang");
    expect(alert()).toBe("error.locked");
  });

  it("show one form at a time", async () => {
    await logInByName("session.wrong_credentials");
    const isShown = () => page.input("username")?.closest("[hidden]") === null;
    expect(isShown()).toBe(true);
    await page.press("auth.by_mobile");
    expect(isShown()).toBe(false);
    expect(page.text()).toContain("by a code");
    expect(page.text()).not.toContain("at first");
    await page.press("auth.by_username");
    expect(isShown()).toBe(true);
    expect(page.text()).not.toContain("by a code");
  });

  it("call no captcha wrong that was not shown, and the next one they do", async () => {
    await logInByName("session.captcha");
    expect(alert()).toBe("captcha.also");
    const input = page.input("captcha");
    const scrolled = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
    for (const button of ["captcha.cannot_see", "captcha.another"]) {
      await page.type({ captcha: "abcde" });
      input?.blur();
      await page.submit();
      expect(page.isWrong("captcha")).toBe(true);
      expect(page.text()).toContain("error.captcha");
      expect(document.activeElement).toBe(input);
      expect(scrolled.mock.lastCall).toEqual([{ block: "center" }]);
      expect(alert()).toBeUndefined();
      await page.press(button);
      expect(page.isWrong("captcha")).toBe(false);
      expect(page.text()).not.toContain("error.captcha");
    }
  });

  it("begin with the one that was remembered last, unless something is typed already", async () => {
    const boot = sampleBoot("EN");
    const open = { COMM3: true, MOBILEVERCODELOGIN3: true, REMEMBERPASS3: true };
    setBoot({ ...boot, switches: { ...boot.switches, ...open } });
    const forms = (key: string, more = {}) => (
      <QueryClientProvider client={new QueryClient()}>
        <LoginForms key={key} onCaptcha={() => undefined} close={() => undefined} {...more} />
      </QueryClientProvider>
    );
    document.cookie = `${cookieNames.number}=x; path=/; secure`;
    await page.show(forms("number"));
    expect(page.text()).toContain("by a code, at first");
    await page.show(forms("typed", { typed }));
    expect(page.input("username")?.value).toBe("marikit");
    document.cookie = `${cookieNames.number}=; path=/; secure; max-age=0`;
    await page.show(forms("nothing"));
    expect(page.input("username")).not.toBeNull();
  });
});
