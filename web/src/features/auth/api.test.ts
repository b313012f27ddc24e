// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readToken, storeToken } from "@/lib/api/token";
import { withdraw } from "./api";

const send = vi.fn<typeof fetch>();

describe("a session that nobody waited for", () => {
  beforeEach(() => {
    vi.stubGlobal("fetch", send);
    send.mockReset();
    storeToken("of the page");
  });

  it("ends by its own token, and no other does", async () => {
    send.mockResolvedValue(
      new Response('{"code":"session.required","message":""}', { status: 401 }),
    );
    withdraw({ token: "late" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(send.mock.calls).toEqual([
      ["/wps/session/logout", expect.objectContaining({ method: "DELETE" })],
    ]);
    expect(send.mock.lastCall?.[1]?.headers).toMatchObject({ Authorization: "Bearer late" });
    expect(readToken()).toBe("of the page");
  });

  it("is nothing where there is a ticket only, and nobody hears of a fault", async () => {
    withdraw({ token: null });
    expect(send).not.toHaveBeenCalled();
    // An unhandled one would fail this file.
    send.mockRejectedValue(new Error("no line"));
    withdraw({ token: "late" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(send).toHaveBeenCalledOnce();
  });
});
