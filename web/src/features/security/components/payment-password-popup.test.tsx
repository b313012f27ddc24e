// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import { setStage } from "@/lib/testing/stage";
import PaymentPasswordPopup from "./payment-password-popup";

const { setPaymentPassword } = vi.hoisted(() => ({ setPaymentPassword: vi.fn() }));
vi.mock("../api", () => ({ setPaymentPassword }));
vi.mock("@/features/auth/session", () => ({ useSession: () => ({ member: null }) }));
vi.mock("@/features/auth/api-login", () => ({
  registerRulesQuery: { queryKey: ["site", "register-rules"], queryFn: () => ({ rules: {} }) },
}));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

const close = vi.fn();
const typed = {
  password: "pancit",
  paymentPassword: "481516",
  confirmPaymentPassword: "481516",
};

describe("the popup of the transaction password", () => {
  const page = setStage();
  const show = (exists: boolean) =>
    page.show(
      <QueryClientProvider client={new QueryClient()}>
        <PaymentPasswordPopup exists={exists} close={close} />
      </QueryClientProvider>,
    );

  beforeEach(() => {
    vi.clearAllMocks();
    setPaymentPassword.mockResolvedValue(null);
  });

  it.each([
    new ApiError(400, "input.invalid", "", { fields: { oldPaymentPassword: "required" } }),
    new ApiError(400, "member.wrong_payment_password", ""),
  ])("asks for one that was set in another window: $code", async (refusal) => {
    setPaymentPassword.mockRejectedValueOnce(refusal);
    await show(false);
    expect(page.input("oldPaymentPassword")).toBeNull();
    await page.type(typed);
    await page.submit();
    expect(page.isWrong("oldPaymentPassword")).toBe(true);
    expect(document.activeElement).toBe(page.input("oldPaymentPassword"));
    await page.type({ oldPaymentPassword: "234234" });
    await page.submit();
    expect(setPaymentPassword).toHaveBeenLastCalledWith({ ...typed, oldPaymentPassword: "234234" });
    expect(close).toHaveBeenCalledOnce();
  });

  it.each([
    ["member.wrong_password", "password"],
    ["member.wrong_payment_password", "oldPaymentPassword"],
  ] as const)("says %s at its field", async (code, field) => {
    setPaymentPassword.mockRejectedValueOnce(new ApiError(400, code, ""));
    await show(true);
    await page.type({ ...typed, oldPaymentPassword: "234234" });
    await page.submit();
    expect(page.isWrong(field)).toBe(true);
    expect(document.querySelector("[role=alert]")).toBeNull();
  });

  it("asks for a code of a second factor that was turned on elsewhere", async () => {
    setPaymentPassword.mockRejectedValueOnce(new ApiError(403, "session.two_factor_needed", ""));
    await show(false);
    expect(page.input("twoFactorCode")).toBeNull();
    await page.type(typed);
    await page.submit();
    expect(page.isWrong("twoFactorCode")).toBe(true);
    await page.type({ twoFactorCode: " 123 456 " });
    await page.submit();
    expect(setPaymentPassword).toHaveBeenLastCalledWith({ ...typed, twoFactorCode: "123456" });
    expect(close).toHaveBeenCalledOnce();
  });

  it("tells that tries are used up for longer than requests are", async () => {
    setPaymentPassword.mockRejectedValueOnce(new ApiError(429, "request.too_many", ""));
    await show(false);
    await page.type(typed);
    await page.submit();
    expect(document.querySelector("[role=alert]")?.textContent).toBe("error.too_many_tries");
  });
});
