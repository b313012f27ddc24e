// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import type { Account } from "../api";
import { SafetyPanel } from "./safety-panel";

vi.mock("@/lib/popup/popup", () => ({ openPopup: vi.fn() }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));

describe("how the account is guarded", () => {
  const page = setStage();
  const show = async (given: Partial<Account>) => {
    const account = { hasPassword: true, mobileNum: "+639******567", ...given };
    await page.show(<SafetyPanel account={account as Account} />);
    return page.text();
  };

  it("says what a code by text message is worth to who may get one and has nothing better", async () => {
    expect(await show({ mobileVerified: true, twoFactor: false })).toContain("security.sms_worth");
    expect(await show({ mobileVerified: true, twoFactor: true })).not.toContain("sms_worth");
    expect(await show({ mobileVerified: false, twoFactor: false })).not.toContain("sms_worth");
  });
});
