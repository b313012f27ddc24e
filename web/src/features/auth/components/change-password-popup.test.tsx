// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import { clearSession, readToken, storeToken } from "@/lib/api/token";
import { setStage } from "@/lib/testing/stage";
import type { ForcedChange } from "../popups";
import ChangePasswordPopup from "./change-password-popup";

const { changePassword, withdraw, keep, toast, navigate, account } = vi.hoisted(() => ({
  account: { twoFactor: false },
  changePassword: vi.fn(),
  withdraw: vi.fn(),
  keep: vi.fn(),
  toast: vi.fn(),
  navigate: vi.fn(),
}));
vi.mock("../api", () => ({ withdraw }));
vi.mock("../api-login", () => ({
  changePassword,
  registerRulesQuery: { queryKey: ["site", "register-rules"], queryFn: () => ({ rules: {} }) },
}));
vi.mock("../session", () => ({ useSession: () => ({ member: account }) }));
vi.mock("../remember", () => ({ keep }));
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => navigate }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@/ui/toast", () => ({ toast }));

const close = vi.fn();
const forced: ForcedChange = { next: "/play/dice", held: "123456" };
const another = "bagong-salita-7";

/** What the page shows of a member. */
function Shown({ load }: { load: (what: string) => unknown }) {
  const query = (what: string) => ({
    queryKey: ["member", what],
    queryFn: () => load(what),
    retry: false,
  });
  useQuery(query("info"));
  useQuery(query("devices"));
  return null;
}

describe("the popup for a new password", () => {
  const page = setStage();
  const client = new QueryClient();
  const show = (forced?: ForcedChange, beside?: ReactNode) =>
    page.show(
      <QueryClientProvider client={client}>
        {beside}
        <ChangePasswordPopup {...(forced && { forced })} close={close} />
      </QueryClientProvider>,
    );
  const change = async (typed: Record<string, string> = {}) => {
    await page.type({ ...typed, newPassword: another, confirmPassword: another });
    await page.submit();
  };

  beforeEach(() => {
    vi.clearAllMocks();
    client.clear();
    changePassword.mockResolvedValue({ token: "new" });
    account.twoFactor = false;
    storeToken("old");
    sessionStorage.setItem("mustChange", "/play/dice");
  });

  it("goes on to where the log-in led, with the new token", async () => {
    let markAtClose: string | null = "";
    close.mockImplementationOnce(() => (markAtClose = sessionStorage.getItem("mustChange")));
    await show(forced);
    await change();
    expect(changePassword.mock.calls).toEqual([["123456", another, {}]]);
    expect(readToken()).toBe("new");
    expect(close).toHaveBeenCalledOnce();
    expect(navigate).toHaveBeenCalledWith({ href: "/play/dice" });
    expect(keep).not.toHaveBeenCalled();
    expect(markAtClose).toBeNull();
  });

  it("remembers the new password where the old one was to be remembered", async () => {
    await show({ ...forced, rememberedAs: "marikit" });
    await change();
    const what = { username: "marikit", password: another };
    expect(keep.mock.calls).toEqual([[{ part: "login", what }]]);
  });

  it("asks for the old one where a reload has forgotten it", async () => {
    await show({ ...forced, held: undefined });
    await change({ oldPassword: " 123456 " });
    expect(changePassword.mock.calls).toEqual([["123456", another, {}]]);
  });

  it("begins no session by an answer that comes when whoever asked has left", async () => {
    let answer: (view: { token: string }) => void = () => undefined;
    changePassword.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    await show(forced);
    await change();
    await page.run(() => clearSession());
    await page.run(() => answer({ token: "new" }));
    expect(readToken()).toBeNull();
    expect(withdraw.mock.calls).toEqual([[{ token: "new" }]]);
    expect(toast).not.toHaveBeenCalled();
    expect(navigate).not.toHaveBeenCalled();
  });

  it("asks for the old one where the held one is refused: an answer may have been lost", async () => {
    changePassword.mockRejectedValueOnce(new ApiError(400, "member.wrong_password", ""));
    await show(forced);
    expect(page.input("oldPassword")).toBeNull();
    await change();
    expect(page.isWrong("oldPassword")).toBe(true);
    expect(document.activeElement).toBe(page.input("oldPassword"));
    expect(document.querySelector("[role=alert]")).toBeNull();
    await change({ oldPassword: another });
    expect(changePassword.mock.lastCall).toEqual([another, another, {}]);
    expect(withdraw).not.toHaveBeenCalled();
    expect(close).toHaveBeenCalledOnce();
  });

  it("has the devices fetched anew, and is done though nothing can be fetched", async () => {
    const load = vi.fn().mockResolvedValueOnce("info").mockResolvedValueOnce("devices");
    load.mockRejectedValue(new Error("no line"));
    await show(undefined, <Shown load={load} />);
    expect(load).toHaveBeenCalledTimes(2);
    await change({ oldPassword: "pancit" });
    expect(load.mock.calls.slice(2)).toEqual([["info"], ["devices"]]);
    expect(close).toHaveBeenCalledOnce();
    expect(toast).toHaveBeenCalledWith("password.changed", "good");
    expect(document.querySelector("[role=alert]")).toBeNull();
  });

  it("asks whoever has a second factor for a code of it", async () => {
    account.twoFactor = true;
    await show();
    await change({ oldPassword: "pancit" });
    expect(page.isWrong("twoFactorCode")).toBe(true);
    expect(changePassword).not.toHaveBeenCalled();
    changePassword.mockRejectedValueOnce(new ApiError(400, "session.two_factor_invalid", ""));
    await change({ twoFactorCode: "000 000" });
    expect(changePassword.mock.lastCall).toEqual(["pancit", another, { twoFactorCode: "000000" }]);
    expect(page.isWrong("twoFactorCode")).toBe(true);
    await change({ twoFactorCode: "123456" });
    expect(close).toHaveBeenCalledOnce();
  });

  it("asks for a code right after the log-in only where the server does", async () => {
    account.twoFactor = true;
    changePassword.mockRejectedValueOnce(new ApiError(403, "session.two_factor_needed", ""));
    await show(forced);
    expect(page.input("twoFactorCode")).toBeNull();
    await change();
    expect(page.isWrong("twoFactorCode")).toBe(true);
    expect(document.activeElement).toBe(page.input("twoFactorCode"));
    expect(document.querySelector("[role=alert]")).toBeNull();
    await change({ twoFactorCode: "123456" });
    expect(changePassword.mock.lastCall).toEqual(["123456", another, { twoFactorCode: "123456" }]);
    expect(close).toHaveBeenCalledOnce();
  });

  it("says a wrong password at its field, and used-up tries above", async () => {
    changePassword.mockRejectedValueOnce(new ApiError(400, "member.wrong_password", ""));
    await show();
    await change({ oldPassword: "adobo" });
    expect(page.isWrong("oldPassword")).toBe(true);
    changePassword.mockRejectedValueOnce(new ApiError(429, "request.too_many", ""));
    await change({ oldPassword: "adobo" });
    expect(document.querySelector("[role=alert]")?.textContent).toBe("error.too_many_tries");
  });
});
