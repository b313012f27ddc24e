import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Remembering, logIn } from "./log-in";

const { signIn, forgetUnticked } = vi.hoisted(() => ({
  signIn: vi.fn(),
  forgetUnticked: vi.fn(),
}));
vi.mock("./sign-in", () => ({ signIn, asksCaptcha: () => false }));
vi.mock("./remembering", () => ({ forgetUnticked }));

const what = { username: "marikit", password: "pancit" };
const enter = vi.fn();
const come = (remembering: Remembering) =>
  logIn({ ...what, captcha: "", remembering, next: "/play/dice" }, enter);

describe("logIn", () => {
  beforeEach(() => {
    vi.clearAllMocks();
    signIn.mockResolvedValue("view");
  });

  it.each([
    ["keep", { part: "login", what }, 0],
    ["forget", undefined, 1],
    ["no change", undefined, 0],
  ] as const)("takes along what is to be remembered: %s", async (remembering, remember, times) => {
    expect(await come(remembering)).toBeNull();
    const options = { next: "/play/dice", password: "pancit", remember };
    expect(enter.mock.calls).toEqual([["login", "view", options]]);
    expect(forgetUnticked).toHaveBeenCalledTimes(times);
  });

  it("forgets nothing for somebody who is not let in", async () => {
    const error = new Error("no");
    signIn.mockRejectedValue(error);
    expect(await come("forget")).toMatchObject({ error, typed: what });
    expect(forgetUnticked).not.toHaveBeenCalled();
  });
});
