// @vitest-environment happy-dom
import { act } from "react";
import { describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import { useCaptcha } from "./use-captcha";

const { fetchCaptcha } = vi.hoisted(() => ({ fetchCaptcha: vi.fn() }));
vi.mock("./api-login", () => ({ fetchCaptcha }));

function Form() {
  const { shown } = useCaptcha(true);
  return <output>{shown?.kind}</output>;
}

describe("the captchas of two forms", () => {
  const page = setStage();

  it("come one a second, as the server counts them by browser", async () => {
    fetchCaptcha.mockResolvedValue("picture");
    await page.show(<Form key="by username" />);
    await page.show(<Form key="by mobile" />);
    expect(fetchCaptcha).toHaveBeenCalledTimes(1);
    await act(() => new Promise((resolve) => setTimeout(resolve, 1100)));
    expect(fetchCaptcha).toHaveBeenCalledTimes(2);
    expect(page.text()).toBe("image");
  });
});
