// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { setStage } from "@/lib/testing/stage";
import ForgotPopup from "./forgot-popup";

const { lookAtLink, recoverByLink } = vi.hoisted(() => ({
  lookAtLink: vi.fn(),
  recoverByLink: vi.fn(),
}));
vi.mock("../api-recovery", () => ({ lookAtLink, recoverByLink }));
vi.mock("../field-rules", () => ({
  usePasswordRule: () => ({ check: () => null, say: (text?: string) => text, hint: "" }),
  useUsernameWords: () => ({ say: (text?: string) => text, word: () => undefined }),
}));
vi.mock("./auth-band", () => ({ AuthBand: () => null }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));

const over = new ApiError(400, "session.link_over", "");

describe("the link of a mail", () => {
  const page = setStage();
  const open = () =>
    page.show(
      <dialog open>
        <ForgotPopup token="t1" close={() => undefined} />
      </dialog>,
    );
  const alert = () => document.querySelector("[role=alert]")?.textContent;
  /** What one sees, and where one is. */
  const seen = () => [alert(), (document.activeElement as HTMLInputElement).name];

  beforeEach(() => {
    vi.clearAllMocks();
    setBoot(sampleBoot("EN"));
  });

  it("asks for a new password while it is good", async () => {
    lookAtLink.mockResolvedValue(null);
    await open();
    expect(lookAtLink).toHaveBeenCalledWith("t1");
    expect(seen()).toEqual([undefined, "newPassword"]);
  });

  it("is said to be over at once, where another can be asked for", async () => {
    lookAtLink.mockRejectedValue(over);
    await open();
    expect(seen()).toEqual(["error.link_over", "username"]);
    expect(recoverByLink).not.toHaveBeenCalled();
  });

  it("is said to be over where it has come to its end meanwhile", async () => {
    lookAtLink.mockResolvedValue(null);
    recoverByLink.mockRejectedValue(over);
    await open();
    await page.type({ newPassword: "pancit-sa-gabi", confirmPassword: "pancit-sa-gabi" });
    await page.submit();
    expect(seen()).toEqual(["error.link_over", "username"]);
    expect(page.input("newPassword")).toBeNull();
  });

  it("can be tried where nobody could say whether it is good", async () => {
    lookAtLink.mockRejectedValue(new ApiError(0, "network", ""));
    await open();
    expect(page.input("newPassword")).not.toBeNull();
  });
});
