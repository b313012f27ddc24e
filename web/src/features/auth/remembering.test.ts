// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { cookieNames, readCookie } from "./remember-cookies";
import {
  fulfilWish,
  onForget,
  recallLogin,
  wishNoChange,
  wishToForget,
  wishToRemember,
} from "./remembering";

const vault = vi.hoisted(() => ({ keep: vi.fn(), forget: vi.fn(), recallLogin: vi.fn() }));
vi.mock("./remember", () => vault);

const kept = { part: "login", what: { username: "marikit", password: "pancit" } } as const;

function allow(enabled: boolean): void {
  const boot = sampleBoot("EN");
  setBoot({ ...boot, switches: { ...boot.switches, REMEMBERPASS3: enabled } });
}

function setCookie(part: keyof typeof cookieNames): void {
  document.cookie = `${cookieNames[part]}=x`;
}

function dropCookies(): void {
  for (const name of Object.values(cookieNames)) {
    document.cookie = `${name}=; expires=${new Date(0).toUTCString()}`;
  }
}

describe("what forms remember", () => {
  beforeEach(() => {
    vi.clearAllMocks();
    allow(true);
    dropCookies();
    wishNoChange();
  });

  it("is kept once there is a session, and once", async () => {
    wishToRemember(kept);
    await fulfilWish();
    await fulfilWish();
    expect(vault.keep.mock.calls).toEqual([[kept]]);
  });

  it("is not kept when another log-in came between", async () => {
    wishToRemember(kept);
    await wishToForget("number");
    await fulfilWish();
    expect(vault.keep).not.toHaveBeenCalled();
  });

  it("is deleted by a form that has kept something, not by one whose box was never ticked", async () => {
    setCookie("login");
    expect(readCookie("login")).toBe("x");
    await wishToForget("number");
    expect(vault.forget).not.toHaveBeenCalled();
    const told = vi.fn();
    const stop = onForget(told);
    await wishToForget("login");
    stop();
    expect(vault.forget).toHaveBeenCalledOnce();
    expect(told).toHaveBeenCalledOnce();
  });

  it("is asked for only where something is kept, and deleted where nothing may be", async () => {
    vault.recallLogin.mockResolvedValue(kept.what);
    expect(await recallLogin()).toBeNull();
    expect(vault.recallLogin).not.toHaveBeenCalled();
    setCookie("login");
    expect(await recallLogin()).toEqual(kept.what);
    allow(false);
    expect(await recallLogin()).toBeNull();
    expect(vault.forget).toHaveBeenCalledOnce();
  });
});
