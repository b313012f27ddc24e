// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import { useUsernameLogin } from "./use-username-login";

const { logIn, recallLogin, forgotten } = vi.hoisted(() => ({
  logIn: vi.fn(),
  recallLogin: vi.fn(),
  forgotten: new Set<() => void>(),
}));
vi.mock("./log-in", () => ({ logIn }));
vi.mock("./use-enter", () => ({ useEnter: () => "enter" }));
vi.mock("./remembering", () => ({
  recallLogin,
  onForget: (listener: () => void) => {
    forgotten.add(listener);
    return () => void forgotten.delete(listener);
  },
}));

const onIn = vi.fn();
const onRefused = vi.fn();
const kept = { username: "marikit", password: "pancit" };

type FormProps = { hasBox: boolean; typed?: typeof kept; hasCaptcha?: boolean };

function Form({ hasBox, typed, hasCaptcha }: FormProps) {
  const next = () => "/play/dice";
  const terms = { next, typed, asksToRemember: hasBox, onIn, onRefused };
  const { form, faults } = useUsernameLogin(terms);
  return (
    <form {...form}>
      <input name="username" />
      <input name="password" />
      {hasCaptcha && <input name="captcha" />}
      {hasBox && <input type="checkbox" name="remember" />}
      <output>{Object.keys(faults).join(" ")}</output>
    </form>
  );
}

describe("the log-in by username", () => {
  const page = setStage();
  const show = (form: FormProps) => page.show(<Form {...form} />);
  const input = (name: string) => page.input(name) as HTMLInputElement;
  /** What the last log-in was to do with what is remembered. */
  const wish = () => logIn.mock.lastCall?.[0] as unknown;

  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(100);
    vi.clearAllMocks();
    recallLogin.mockResolvedValue(null);
    logIn.mockResolvedValue(null);
  });

  it("names what is empty and sends nothing", async () => {
    await show({ hasBox: true, hasCaptcha: true });
    input("password").value = " ";
    await page.submit();
    expect(document.querySelector("output")?.textContent).toBe("username password captcha");
    expect(document.activeElement).toBe(input("username"));
    expect(logIn).not.toHaveBeenCalled();
  });

  it("sends what was typed without spaces around it", async () => {
    await show({ hasBox: true });
    input("username").value = " marikit ";
    input("password").value = " pan cit ";
    await page.submit();
    const form = { username: "marikit", password: "pan cit", captcha: "", next: "/play/dice" };
    expect(logIn.mock.lastCall).toEqual([{ ...form, remembering: "forget" }, "enter"]);
    expect(onIn).toHaveBeenCalledOnce();
    expect(onRefused).not.toHaveBeenCalled();
  });

  it("hands on why it was refused", async () => {
    const refusal = { error: new Error("no"), asksCaptcha: false, typed: kept };
    logIn.mockResolvedValue(refusal);
    await show({ hasBox: true, typed: kept });
    await page.submit();
    expect(onRefused.mock.lastCall).toEqual([refusal]);
    expect(onIn).not.toHaveBeenCalled();
  });

  it("is filled in with what is remembered, and keeps it while the box is ticked", async () => {
    recallLogin.mockResolvedValue(kept);
    await show({ hasBox: true });
    expect(input("password").value).toBe("pancit");
    expect(input("remember").checked).toBe(true);
    expect(document.body.innerHTML).not.toContain("pancit");
    await page.submit();
    expect(wish()).toMatchObject({ remembering: "keep" });
    input("remember").checked = false;
    await page.submit();
    expect(wish()).toMatchObject({ remembering: "forget" });
  });

  it("leaves alone what was typed before, here or elsewhere", async () => {
    let tell: (what: typeof kept) => void = () => undefined;
    recallLogin.mockReturnValue(new Promise((resolve) => (tell = resolve)));
    await show({ hasBox: true });
    input("username").value = "dalisay";
    await page.run(() => tell(kept));
    expect(input("username").value).toBe("dalisay");
    expect(input("password").value).toBe("");
    await page.show(null);
    await show({ hasBox: true, typed: { username: "ligaya", password: "adobo" } });
    expect(input("username").value).toBe("ligaya");
    expect(input("remember").checked).toBe(false);
  });

  it("without a box keeps the name that is remembered, and changes nothing for another", async () => {
    recallLogin.mockResolvedValue(kept);
    await show({ hasBox: false });
    await page.submit();
    expect(wish()).toMatchObject({ remembering: "keep" });
    input("username").value = "dalisay";
    await page.submit();
    expect(wish()).toMatchObject({ remembering: "no change" });
  });

  it("without a box is emptied when everything is forgotten", async () => {
    recallLogin.mockResolvedValue(kept);
    await show({ hasBox: false });
    await page.run(() => {
      for (const listener of forgotten) listener();
    });
    expect(input("password").value).toBe("");
  });

  it("is not filled in where nobody sees it", async () => {
    vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(0);
    recallLogin.mockResolvedValue(kept);
    await show({ hasBox: false });
    expect(input("password").value).toBe("");
    expect(recallLogin).not.toHaveBeenCalled();
  });
});
