// @vitest-environment happy-dom
import { act } from "react";
import { describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import { CodeField } from "./code-field";

vi.mock("@/lib/i18n/i18n", () => ({
  useT:
    () =>
    (...words: unknown[]) =>
      words.join(" "),
}));

describe("the field of a code", () => {
  const page = setStage();
  const isReady = () => Promise.resolve(true);
  const status = () => document.querySelector("[role=status]")?.textContent;

  it.each([
    ["a code", { isSent: true, rest: 300 }, "code.again_in 300", "code.sent"],
    ["none, and waits", { isSent: false, rest: 60 }, "code.again_in 60", ""],
    ["none", { isSent: false, rest: 0 }, "code.send", ""],
  ])("sends %s", async (_, outcome, words, told) => {
    const sender = { isReady, onSend: () => Promise.resolve(outcome), to: "917" };
    await page.show(<CodeField sender={sender} />);
    await page.press("code.send");
    expect(page.button(words)?.disabled).toBe(outcome.rest > 0);
    expect(status()).toBe(told);
  });

  it("rests for the number that a code was sent to, and for no other", async () => {
    const onSend = vi.fn(() => Promise.resolve({ isSent: true, rest: 300 }));
    const show = (to: string) => page.show(<CodeField sender={{ isReady, onSend, to }} />);
    await show("917");
    await page.press("code.send");
    await show("918");
    expect(page.button("code.send")?.disabled).toBe(false);
    expect(status()).toBe("");
    await show("917");
    expect(page.button("code.again_in 300")?.disabled).toBe(true);
    await show("918");
    await act(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    await page.press("code.send");
    expect(onSend).toHaveBeenCalledTimes(2);
    expect(page.button("code.again_in 300")?.disabled).toBe(true);
  });

  it.each([
    [true, true, "INPUT"],
    [true, false, "BUTTON"],
    [false, true, "BODY"],
  ])("leads from the button to the code: %s, once sent: %s", async (hasFocus, isSent, name) => {
    const onSend = () => Promise.resolve({ isSent, rest: 0 });
    await page.show(<CodeField sender={{ isReady, onSend, to: "917" }} />);
    if (hasFocus) page.button("code.send")?.focus();
    await page.press("code.send");
    expect(document.activeElement?.tagName).toBe(name);
  });
});
