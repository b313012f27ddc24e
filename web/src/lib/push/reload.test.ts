import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reload } from "./reload";

const key = ["site", "thing"];
let client: QueryClient;
let asked: ((answer: string) => void)[];
const ask = () => new Promise<string>((resolve) => asked.push(resolve));
const options = { queryKey: key, queryFn: ask, staleTime: Number.POSITIVE_INFINITY };

/** Answers the newest question, and lets everything come of it. */
async function answer(text: string): Promise<void> {
  asked.at(-1)?.(text);
  await vi.advanceTimersByTimeAsync(10);
}

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  asked = [];
});
afterEach(() => {
  client.clear();
  vi.useRealTimers();
});

describe("reload", () => {
  it("asks once more after a first fetch that was under way, however much has changed", async () => {
    const stop = new QueryObserver(client, options).subscribe(() => undefined);
    reload(client, ["site"]);
    reload(client, ["site"]);
    expect(asked).toHaveLength(1);
    await answer("old");
    expect(asked).toHaveLength(2);
    await answer("new");
    expect(client.getQueryData(key)).toBe("new");
    expect(asked).toHaveLength(2);
    stop();
  });

  it("asks anew at once where there is something to show meanwhile", async () => {
    const stop = new QueryObserver(client, options).subscribe(() => undefined);
    await answer("first");
    reload(client, key);
    expect(asked).toHaveLength(2);
    reload(client, key);
    expect(asked).toHaveLength(3);
    await answer("new");
    expect(client.getQueryData(key)).toBe("new");
    expect(asked).toHaveLength(3);
    stop();
  });

  it("remembers that what nobody looks at yet is old", async () => {
    void client.prefetchQuery(options);
    reload(client, key);
    await answer("old");
    expect(client.getQueryState(key)?.isInvalidated).toBe(true);
  });

  it("does not stop at a first fetch that fails", async () => {
    const failing = vi
      .fn<() => Promise<string>>()
      .mockImplementationOnce(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error("lost");
      })
      .mockResolvedValue("new");
    const observer = new QueryObserver(client, { ...options, queryFn: failing, retry: false });
    const stop = observer.subscribe(() => undefined);
    reload(client, key);
    await vi.advanceTimersByTimeAsync(10);
    expect(client.getQueryData(key)).toBe("new");
    stop();
  });
});
