// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { setStage } from "@/lib/testing/stage";
import { HeaderLogin } from "./header-login";

const { logIn, recallLogin, forgotten, openPopup, warn } = vi.hoisted(() => ({
  logIn: vi.fn(),
  recallLogin: vi.fn(),
  forgotten: new Set<() => void>(),
  openPopup: vi.fn(),
  warn: vi.fn(),
}));
vi.mock("../log-in", () => ({ logIn }));
vi.mock("../remembering", () => ({
  recallLogin,
  onForget: (listener: () => void) => {
    forgotten.add(listener);
    return () => void forgotten.delete(listener);
  },
}));
vi.mock("../use-enter", () => ({ useEnter: () => "enter" }));
vi.mock("@/lib/popup/popup", () => ({ openPopup, warn }));
vi.mock("@/ui/popup-host", () => ({ warmPopup: vi.fn() }));
vi.mock("@/lib/i18n/i18n", () => ({
  useT: () => (key: string) => key,
  t: (key: string) => key,
  loadMessages: async () => undefined,
}));

const otherWays = "header.other_ways";
const typed = { username: "marikit", password: "pancit" };
const toPopup = ["login", { next: "/play/dice" }];

describe("the log-in in the header", () => {
  const page = setStage();
  const show = () => page.show(<HeaderLogin next={() => "/play/dice"} />);
  const setWidth = (width: number) =>
    vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(width);

  beforeEach(() => {
    vi.clearAllMocks();
    setWidth(100);
    recallLogin.mockResolvedValue(null);
    logIn.mockResolvedValue(null);
    setBoot(sampleBoot("EN"));
  });

  it.each([
    [{}, "username"],
    [{ password: "pancit" }, "username"],
    [{ username: "marikit" }, "password"],
  ])("warns where something is missing, and points to it: %j, %s", async (given, missing) => {
    let focused: Element | null = null;
    // The dialog gives the focus back to what had it.
    warn.mockImplementation(() => (focused = document.activeElement));
    await show();
    await page.type(given);
    page.button("header.login")?.focus();
    await page.submit();
    await vi.waitFor(() => expect(warn.mock.calls).toEqual([["in_incorrect_password"]]));
    expect(focused).toBe(page.input(missing));
    expect(openPopup).not.toHaveBeenCalled();
    expect(logIn).not.toHaveBeenCalled();
  });

  it("has its button open every way in where there is no room for the fields", async () => {
    setWidth(0);
    await show();
    await page.submit();
    expect(openPopup.mock.calls).toEqual([toPopup]);
    expect(warn).not.toHaveBeenCalled();
  });

  it("has another one for them, whatever is filled in", async () => {
    await show();
    await page.press(otherWays);
    recallLogin.mockResolvedValue(typed);
    await page.show(null);
    await show();
    expect(page.input("username")?.value).toBe("marikit");
    await page.press(otherWays);
    expect(openPopup.mock.calls).toEqual([toPopup, toPopup]);
    await page.run(() => {
      for (const listener of forgotten) listener();
    });
    expect(page.input("username")?.value).toBe("");
  });

  it("forgets the password once it was right, also where a second step follows", async () => {
    await show();
    await page.type(typed);
    await page.submit();
    expect(logIn).toHaveBeenCalledOnce();
    expect(page.input("username")?.value).toBe("");
    expect(page.input("password")?.value).toBe("");
  });

  it("keeps what was refused", async () => {
    logIn.mockResolvedValue({ error: new Error("no"), asksCaptcha: false, typed });
    await show();
    await page.type(typed);
    await page.submit();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
    expect(page.input("password")?.value).toBe("pancit");
  });
});
