// @vitest-environment happy-dom
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
  const status = () => document.querySelector("[role=status]")?.textContent;

  it.each([
    ["a code", { isSent: true, rest: 300 }, "code.again_in 300", "code.sent"],
    ["none, and waits", { isSent: false, rest: 60 }, "code.again_in 60", ""],
    ["none", { isSent: false, rest: 0 }, "code.send", ""],
  ])("sends %s", async (_, outcome, words, told) => {
    const sender = { isReady: () => Promise.resolve(true), onSend: () => Promise.resolve(outcome) };
    await page.show(<CodeField sender={sender} />);
    await page.press("code.send");
    expect(page.button(words)?.disabled).toBe(outcome.rest > 0);
    expect(status()).toBe(told);
  });

  it.each([
    [true, true, "INPUT"],
    [true, false, "BUTTON"],
    [false, true, "BODY"],
  ])("leads from the button to the code: %s, once sent: %s", async (hasFocus, isSent, name) => {
    const onSend = () => Promise.resolve({ isSent, rest: 0 });
    await page.show(<CodeField sender={{ isReady: () => Promise.resolve(true), onSend }} />);
    if (hasFocus) page.button("code.send")?.focus();
    await page.press("code.send");
    expect(document.activeElement?.tagName).toBe(name);
  });
});
