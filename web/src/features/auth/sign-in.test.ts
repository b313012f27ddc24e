// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import { withProof } from "./sign-in";

const proveHuman = vi.hoisted(() => vi.fn<(refusal?: ApiError) => Promise<string | undefined>>());
vi.mock("@/lib/human/human", () => ({ proveHuman }));

const refusal = new ApiError(400, "session.human_check", "Harder", {
  value: { captcha: false, challenge: { parameters: {}, signature: "" } },
});

describe("withProof", () => {
  beforeEach(() => {
    proveHuman.mockReset();
    proveHuman.mockResolvedValueOnce("first").mockResolvedValueOnce("second");
  });

  it("does once more what a refusal asks for", async () => {
    const send = vi.fn<(human?: string) => Promise<string>>();
    send.mockRejectedValueOnce(refusal).mockResolvedValueOnce("in");
    await expect(withProof(send)).resolves.toBe("in");
    expect(send.mock.calls).toEqual([["first"], ["second"]]);
    expect(proveHuman.mock.calls).toEqual([[undefined], [refusal]]);
  });

  it("tells any other refusal, and a second one", async () => {
    const wrong = new ApiError(400, "session.wrong_credentials", "Wrong");
    await expect(withProof(() => Promise.reject(wrong))).rejects.toBe(wrong);
    expect(proveHuman).toHaveBeenCalledTimes(1);
    await expect(withProof(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(proveHuman).toHaveBeenCalledTimes(3);
  });
});
