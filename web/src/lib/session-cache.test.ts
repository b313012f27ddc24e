// @vitest-environment happy-dom
import { QueryClient, QueryObserver, queryOptions } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { changeLanguage } from "@/lib/i18n/i18n";
import { applyPush } from "@/lib/push/apply";
import { withCopy } from "./session-cache";

const answers = vi.fn<() => Promise<string>>();
const query = queryOptions({
  queryKey: ["games", "short"],
  queryFn: () => answers(),
  staleTime: Number.POSITIVE_INFINITY,
  persister: withCopy,
});

/** What is shown, one after the other, on a page that has just been loaded. */
async function openPage(answer: string): Promise<unknown[]> {
  answers.mockResolvedValueOnce(answer);
  const shown: unknown[] = [];
  const client = new QueryClient();
  const stop = new QueryObserver(client, query).subscribe(({ data }) => {
    if (data !== undefined && shown.at(-1) !== data) shown.push(data);
  });
  await vi.waitFor(() => expect(shown.at(-1)).toBe(answer));
  stop();
  return shown;
}

beforeEach(async () => {
  sessionStorage.clear();
  answers.mockReset();
  setBoot(sampleBoot("EN"));
  await changeLanguage("EN");
});

describe("the copies of a tab", () => {
  it("are shown at once after a reload, and checked", async () => {
    expect(await openPage("old")).toEqual(["old"]);
    expect(await openPage("new")).toEqual(["old", "new"]);
    expect(await openPage("newer")).toEqual(["new", "newer"]);
    expect(answers).toHaveBeenCalledTimes(3);
  });

  it("do not outlive a change of settings", async () => {
    await openPage("old");
    sessionStorage.setItem("token", "stays");
    applyPush(new QueryClient(), { topic: "site", type: "settings" });
    expect(await openPage("new")).toEqual(["new"]);
    expect(sessionStorage.getItem("token")).toBe("stays");
  });

  it("are none in another language, for another merchant or of another release", async () => {
    await openPage("english");
    await changeLanguage("TY");
    expect(await openPage("tagalog")).toEqual(["tagalog"]);
    const boot = sampleBoot("TY");
    setBoot({ ...boot, merchant: { ...boot.merchant, code: "other" } });
    expect(await openPage("other")).toEqual(["other"]);
    for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, "{not json");
    expect(await openPage("new")).toEqual(["new"]);
  });

  it("leave the page alone when nothing can be kept", async () => {
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    expect(await openPage("shown")).toEqual(["shown"]);
    full.mockRestore();
  });
});
