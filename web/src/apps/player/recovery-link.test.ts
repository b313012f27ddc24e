// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { onRecoveryLink, takeRecoveryToken, watchRecovery } from "./recovery-link";

/** Goes to an address as somebody does who follows a link while the site is open. */
function follow(address: string): void {
  History.prototype.pushState.call(history, null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  dispatchEvent(new Event("hashchange"));
}

const address = () => location.pathname + location.search + location.hash;

describe("the link of a recovery mail", () => {
  const seen: string[] = [];
  let atFirst: unknown;

  beforeAll(() => {
    const loaded = "/login?next=%2Frng#recover=first";
    History.prototype.replaceState.call(history, { key: "k" }, "", loaded);
    watchRecovery();
    atFirst = [address(), history.state, takeRecoveryToken()];
    // Whoever counts visits comes later: it listens, and puts its own functions in the place of the browser's.
    for (const type of ["popstate", "hashchange"]) {
      addEventListener(type, () => seen.push(address()));
    }
    history.replaceState = () => seen.push(address());
  });
  beforeEach(() => {
    seen.length = 0;
  });

  it("is taken out of the address that the page is loaded with", () => {
    expect(atFirst).toEqual(["/login?next=%2Frng", { key: "k" }, "first"]);
  });

  it("leaves the address before anybody else looks at it", () => {
    const told = vi.fn();
    const stop = onRecoveryLink(told);
    follow("/login#recover=a-token");
    expect(seen).toEqual(["/login", "/login"]);
    expect(told).toHaveBeenCalledOnce();
    stop();
    follow("/login#recover=another");
    expect(told).toHaveBeenCalledOnce();
    expect(takeRecoveryToken()).toBe("another");
  });

  it("is good for one popup", () => {
    follow("/login#recover=a-token");
    expect(takeRecoveryToken()).toBe("a-token");
    expect(takeRecoveryToken()).toBeNull();
  });

  it.each([
    "/terms#privacy",
    "/login#recover=",
    "/login#other=1",
    "/login",
    "/rng#recover=a-token",
  ])("is not %s", (other) => {
    follow(other);
    expect(address()).toBe(other);
    expect(takeRecoveryToken()).toBeNull();
  });
});
