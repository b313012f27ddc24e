// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { cookieNames, lastName, readCookie } from "./remember-cookies";
import { forgetUnticked, onForget, recallLogin, remember, rememberedWay } from "./remembering";

const vault = vi.hoisted(() => ({ keep: vi.fn(), forget: vi.fn(), recallLogin: vi.fn() }));
vi.mock("./remember", () => vault);

const kept = { part: "login", what: { username: "marikit", password: "pancit" } } as const;

function allow(enabled: boolean): void {
  const boot = sampleBoot("EN");
  setBoot({ ...boot, switches: { ...boot.switches, REMEMBERPASS3: enabled } });
}

function setCookie(part: keyof typeof cookieNames): void {
  document.cookie = `${cookieNames[part]}=x; path=/; secure`;
}

function dropCookies(): void {
  for (const name of [...Object.values(cookieNames), lastName]) {
    document.cookie = `${name}=; path=/; secure; expires=${new Date(0).toUTCString()}`;
  }
}

describe("what forms remember", () => {
  beforeEach(() => {
    vi.clearAllMocks();
    allow(true);
    dropCookies();
  });

  it("is kept, and nobody is troubled where it cannot be", async () => {
    await remember(kept);
    expect(vault.keep.mock.calls).toEqual([[kept]]);
    vault.keep.mockRejectedValueOnce(new Error("no database"));
    await expect(remember(kept)).resolves.toBeUndefined();
  });

  it("is deleted by a form that has kept something, not by one whose box was never ticked", async () => {
    setCookie("login");
    expect(readCookie("login")).toBe("x");
    await forgetUnticked("number");
    expect(vault.forget).not.toHaveBeenCalled();
    const told = vi.fn();
    const stop = onForget(told);
    await forgetUnticked("login");
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

  it("tells by which way somebody was remembered last, among those that still are", () => {
    expect(rememberedWay()).toBeUndefined();
    setCookie("number");
    expect(rememberedWay()).toBe("mobile");
    setCookie("login");
    document.cookie = `${lastName}=number; path=/; secure`;
    expect(rememberedWay()).toBe("mobile");
    document.cookie = `${lastName}=login; path=/; secure`;
    expect(rememberedWay()).toBe("username");
    allow(false);
    expect(rememberedWay()).toBeUndefined();
  });
});
