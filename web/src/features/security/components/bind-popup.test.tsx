// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import type { BindProps } from "../popups";
import BindPopup from "./bind-popup";

const { bind, account, openPopup } = vi.hoisted(() => ({
  bind: vi.fn(),
  account: { hasPassword: true },
  openPopup: vi.fn(),
}));
vi.mock("../api", () => ({ bind, sendBindCode: vi.fn() }));
vi.mock("@/features/auth/session", () => ({ useSession: () => ({ member: account }) }));
vi.mock("@/lib/popup/popup", () => ({ openPopup, warn: vi.fn() }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));
vi.mock("@/features/auth/countries", () => ({
  useCountries: () => ({ countries: [], usual: "63", isWhole: true }),
}));

const close = vi.fn();
const held = "m***@mail.example";

describe("the popup that binds a contact", () => {
  let root: ReturnType<typeof createRoot>;
  const input = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`);
  const show = (props: Omit<BindProps, "what">) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={new QueryClient()}>
          <BindPopup what="email" {...props} close={close} />
        </QueryClientProvider>,
      ),
    );
  const type = (name: string, text: string) => {
    const field = input(name) as HTMLInputElement;
    // Past the property that React has put on the element to notice changes.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const send = (typed: Record<string, string>) =>
    act(async () => {
      for (const [name, text] of Object.entries(typed)) type(name, text);
      document
        .querySelector("form")
        ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    });
  const filled = { email: "marikit@mail.example", verificationCode: "123456" };

  beforeEach(() => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    vi.clearAllMocks();
    bind.mockResolvedValue(null);
    account.hasPassword = true;
    const container = document.createElement("div");
    document.body.replaceChildren(container);
    root = createRoot(container);
  });
  afterEach(() => act(() => root.unmount()));

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

  it("says a wrong password at its field", async () => {
    bind.mockRejectedValue(new ApiError(400, "member.wrong_password", ""));
    await show({ purpose: "change", held });
    await send({ ...filled, password: "adobo" });
    expect(input("password")?.getAttribute("aria-invalid")).toBe("true");
    expect(document.body.textContent).toContain("error.wrong_password");
  });

  it("asks for it where another contact than the held one is to be verified", async () => {
    const refusal = new ApiError(400, "input.invalid", "", { fields: { password: "required" } });
    bind.mockRejectedValueOnce(refusal);
    await show({ purpose: "verify", held });
    expect(input("password")).toBeNull();
    await send(filled);
    expect(bind).toHaveBeenCalledWith(filled);
    expect(document.body.textContent).toContain("security.password_for_another");
    expect(document.activeElement).toBe(input("password"));
    await send({ password: "pancit" });
    expect(bind).toHaveBeenLastCalledWith({ ...filled, password: "pancit" });
    expect(close).toHaveBeenCalledOnce();
  });

  it("leads who has no password to a first one before a change", async () => {
    account.hasPassword = false;
    await show({ purpose: "change", held });
    expect(document.querySelector("form")).toBeNull();
    expect(document.body.textContent).toContain("error.no_password");
    document.querySelector("button")?.click();
    expect(openPopup).toHaveBeenCalledWith("forgot", {});
    expect(close).toHaveBeenCalledOnce();
  });
});
