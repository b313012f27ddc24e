import { beforeEach, describe, expect, it } from "vitest";
import { ApiError, type FailureCode } from "@/lib/api/error";
import {
  type PopupRegistry,
  closeAllPopups,
  closePopup,
  setUpPopups,
  usePopups,
} from "@/lib/popup/popup";
import { explainInHeader } from "./header-refusal";

const entry = {
  load: () => Promise.reject(new Error("not rendered here")),
  needs: "anyone",
  stack: "over",
} as const;
const typed = { username: "marikit", password: "pancit", remember: false };
const refusal = (code: FailureCode, asksCaptcha: boolean) => ({
  error: new ApiError(400, code, ""),
  asksCaptcha,
  typed,
});
const open = () => usePopups.getState().open;

/** Closes what is on top, and gives what is open then. */
function closed() {
  closePopup(open().at(-1)?.id ?? 0);
  return open();
}

describe("a log-in that was refused in the header", () => {
  beforeEach(() => {
    setUpPopups({ notice: entry, login: entry } as unknown as PopupRegistry, () => null);
    closeAllPopups();
  });

  it.each([[null], [refusal("session.wrong_credentials", false)]])("warns: %j", (refused) => {
    explainInHeader(refused, {});
    expect(open()).toMatchObject([{ name: "notice", props: { text: "in_incorrect_password" } }]);
    expect(open()[0]?.props).not.toHaveProperty("words");
    expect(closed()).toEqual([]);
  });

  it("warns in the words of other refusals", () => {
    explainInHeader(refusal("session.locked", false), {});
    expect(open()).toMatchObject([{ name: "notice", props: { words: "error.locked" } }]);
  });

  it("warns first where a captcha is asked for, and the popup goes on", () => {
    explainInHeader(refusal("session.wrong_credentials", true), { next: "/play/dice" });
    expect(open()).toMatchObject([{ name: "notice", props: { text: "in_incorrect_password" } }]);
    const props = { next: "/play/dice", typed, captcha: true };
    expect(closed()).toMatchObject([{ name: "login", props }]);
  });

  it("lets the popup ask for the captcha where nothing else is missing: none was wrong", () => {
    explainInHeader(refusal("session.captcha", true), {});
    const props = { typed, captcha: true, refusal: "captcha.also" };
    expect(open()).toMatchObject([{ name: "login", props }]);
  });
});
