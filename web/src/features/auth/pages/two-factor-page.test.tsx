// @vitest-environment happy-dom
import type { ComponentProps } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import { setStage } from "@/lib/testing/stage";
import { dropPending, firstStepOf, keepPending, readPending } from "../pending";
import TwoFactorPage from "./two-factor-page";

const { loginTwoFactor, withdraw, enter, navigate } = vi.hoisted(() => ({
  loginTwoFactor: vi.fn(),
  withdraw: vi.fn(),
  enter: vi.fn(),
  navigate: vi.fn(),
}));
vi.mock("../api", () => ({ withdraw }));
vi.mock("../api-login", () => ({ loginTwoFactor }));
vi.mock("../use-enter", () => ({ useEnter: () => enter }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@tanstack/react-router", () => ({
  useNavigate: () => navigate,
  Link: ({ to, search, children, ref }: Linked) => (
    <a ref={ref} href={to + JSON.stringify(search)}>
      {children}
    </a>
  ),
}));

type Linked = ComponentProps<"a"> & { to: string; search: object };

const first = { ticket: "t1", kind: "login" } as const;
const second = { ticket: "t2", kind: "login", next: "/play/dice" } as const;
const step = {
  password: "pancit",
  remember: { part: "login", what: { username: "marikit", password: "pancit" } },
} as const;

describe("the second step of a log-in", () => {
  const page = setStage();
  const code = () => page.input("code")?.value;
  const link = () => document.querySelector("a");
  const alert = () => document.querySelector("[role=alert]")?.textContent;

  beforeEach(() => {
    vi.clearAllMocks();
    dropPending();
    loginTwoFactor.mockResolvedValue({ token: "T" });
  });

  it("begins where a log-in comes while nothing is under way", async () => {
    await page.show(<TwoFactorPage />);
    expect(page.text()).toContain("two_factor.nothing");
    // Nothing has happened that must be told.
    expect(alert()).toBeUndefined();
    expect(document.activeElement).not.toBe(link());
    expect(link()?.getAttribute("href")).toBe("/login{}");
    await page.run(() => keepPending(first, step));
    await page.type({ code: "123 456" });
    await page.submit();
    expect(loginTwoFactor.mock.calls).toEqual([["t1", "123456"]]);
    expect(enter.mock.calls).toEqual([["login", { token: "T" }, { next: undefined, ...step }]]);
  });

  it("goes on with the log-in that came last, in a form of its own", async () => {
    keepPending(first, step);
    await page.show(<TwoFactorPage />);
    await page.type({ code: "111111" });
    await page.run(() => keepPending(second));
    expect(code()).toBe("");
    await page.type({ code: "222222" });
    await page.submit();
    expect(loginTwoFactor.mock.calls).toEqual([["t2", "222222"]]);
    expect(enter.mock.lastCall?.[2]).toEqual({ next: "/play/dice" });
  });

  it("does not end a log-in that began while an older one was found to be over", async () => {
    let refuse: (error: Error) => void = () => undefined;
    loginTwoFactor.mockReturnValueOnce(new Promise((_, reject) => (refuse = reject)));
    keepPending(first);
    await page.show(<TwoFactorPage />);
    await page.type({ code: "111111" });
    await page.submit();
    await page.run(() => keepPending(second));
    await page.run(() => refuse(new ApiError(400, "session.ticket_over", "")));
    expect(readPending()).toEqual(second);
    expect(code()).toBe("");
  });

  it("says that it is over, and forgets what was to be remembered", async () => {
    loginTwoFactor.mockRejectedValueOnce(new ApiError(400, "session.ticket_over", ""));
    keepPending(first, step);
    await page.show(<TwoFactorPage />);
    await page.type({ code: "111111" });
    await page.submit();
    expect(page.text()).toContain("two_factor.nothing");
    expect(readPending()).toBeNull();
    expect(firstStepOf(first)).toEqual({});
  });

  it("tells of its end where the focus was, and leads on to where it would have led", async () => {
    loginTwoFactor.mockRejectedValueOnce(new ApiError(400, "session.ticket_over", ""));
    keepPending(second);
    await page.show(<TwoFactorPage />);
    await page.type({ code: "111111" });
    await page.submit();
    expect(alert()).toBe("two_factor.nothing");
    expect(document.activeElement).toBe(link());
    expect(link()?.getAttribute("href")).toBe('/login{"next":"/play/dice"}');
    // The next one is another.
    await page.run(() => keepPending(first));
    expect(code()).toBe("");
  });

  it("lets nobody in who went back while the code was looked at", async () => {
    let answer: (view: { token: string }) => void = () => undefined;
    loginTwoFactor.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    keepPending(second, step);
    await page.show(<TwoFactorPage />);
    await page.type({ code: "111111" });
    await page.submit();
    await page.press("two_factor.back");
    expect(navigate.mock.calls).toEqual([[{ to: "/login", search: { next: "/play/dice" } }]]);
    await page.run(() => answer({ token: "T" }));
    expect(enter).not.toHaveBeenCalled();
    expect(withdraw.mock.calls).toEqual([[{ token: "T" }]]);
  });

  it("keeps its form until the page comes that the log-in leads to", async () => {
    enter.mockImplementation(async () => dropPending());
    keepPending(first);
    await page.show(<TwoFactorPage />);
    await page.type({ code: "111111" });
    await page.submit();
    expect(page.text()).not.toContain("two_factor.nothing");
  });
});
