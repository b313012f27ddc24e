// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { setStage } from "@/lib/testing/stage";
import { HeaderLogin } from "./header-login";

const { recallLogin, forgotten, openPopup } = vi.hoisted(() => ({
  recallLogin: vi.fn(),
  forgotten: new Set<() => void>(),
  openPopup: vi.fn(),
}));
vi.mock("../remembering", () => ({
  recallLogin,
  onForget: (listener: () => void) => {
    forgotten.add(listener);
    return () => void forgotten.delete(listener);
  },
}));
vi.mock("../use-enter", () => ({ useEnter: () => "enter" }));
vi.mock("@/lib/popup/popup", () => ({ openPopup }));
vi.mock("@/ui/popup-host", () => ({ warmPopup: vi.fn() }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));

const otherWays = "header.other_ways";

describe("the log-in in the header", () => {
  const page = setStage();
  const show = () => page.show(<HeaderLogin next={() => "/play/dice"} />);

  beforeEach(() => {
    vi.clearAllMocks();
    vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(100);
    setBoot(sampleBoot("EN"));
  });

  it("has its button open every way in, as long as nothing is filled in", async () => {
    recallLogin.mockResolvedValue(null);
    await show();
    expect(page.button(otherWays)).toBeUndefined();
    await page.submit();
    expect(openPopup.mock.calls).toEqual([["login", { next: "/play/dice" }]]);
  });

  it("has another one for them, where a remembered log-in is filled in", async () => {
    recallLogin.mockResolvedValue({ username: "marikit", password: "pancit" });
    await show();
    expect(page.input("username")?.value).toBe("marikit");
    await page.press(otherWays);
    expect(openPopup.mock.calls).toEqual([["login", { next: "/play/dice" }]]);
    await page.run(() => {
      for (const listener of forgotten) listener();
    });
    expect(page.button(otherWays)).toBeUndefined();
  });
});
