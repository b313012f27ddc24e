// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { setStage } from "@/lib/testing/stage";
import { DevicesPanel } from "./devices-panel";

const { load, endDevice, endOtherDevices, askConfirm, toast } = vi.hoisted(() => ({
  load: vi.fn(),
  endDevice: vi.fn(),
  endOtherDevices: vi.fn(),
  askConfirm: vi.fn(),
  toast: vi.fn(),
}));
vi.mock("../api", () => ({
  devicesQuery: { queryKey: ["member", "devices"], queryFn: () => load() as unknown },
  endDevice,
  endOtherDevices,
}));
vi.mock("@/lib/popup/popup", () => ({ askConfirm }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@/ui/toast", () => ({ toast }));

const device = (id: string, isCurrent: boolean) => ({
  id,
  isCurrent,
  seenAt: "2026-11-18T00:00:00Z",
});
const here = device("a", true);
const there = device("b", false);

describe("the devices of a member", () => {
  const page = setStage();
  const panel = () => document.querySelector("section");
  const press = async (text: string) => {
    page.button(text)?.focus();
    await page.press(text);
  };

  beforeEach(async () => {
    vi.resetAllMocks();
    setBoot(sampleBoot("EN"));
    askConfirm.mockResolvedValue(true);
    load.mockResolvedValueOnce([here, there]).mockResolvedValue([here]);
    await page.show(
      <QueryClientProvider client={new QueryClient()}>
        <DevicesPanel />
      </QueryClientProvider>,
    );
    // The list comes after the panel.
    await page.run(() => undefined);
  });

  it.each([
    ["security.end", "security.ended"],
    ["security.end_others", "security.others_ended"],
  ])("says what %s has done, and keeps the focus", async (action, words) => {
    await press(action);
    expect(toast.mock.calls).toEqual([[words, "good"]]);
    expect(page.button(action)).toBeUndefined();
    expect(document.activeElement).toBe(panel());
  });

  it("looks again where a device could not be logged out: it may be gone already", async () => {
    endDevice.mockRejectedValue(new ApiError(404, "session.unknown", ""));
    await press("security.end");
    expect(toast.mock.calls).toEqual([["error.session_unknown", "bad"]]);
    expect(page.button("security.end")).toBeUndefined();
    expect(document.activeElement).toBe(panel());
  });

  it("does nothing unless that was meant, and takes no focus that is elsewhere", async () => {
    askConfirm.mockResolvedValueOnce(false);
    await press("security.end");
    expect(endDevice).not.toHaveBeenCalled();
    const elsewhere = document.createElement("button");
    document.body.append(elsewhere);
    elsewhere.focus();
    await page.press("security.end");
    expect(endDevice.mock.calls).toEqual([["b"]]);
    expect(document.activeElement).toBe(elsewhere);
  });
});
