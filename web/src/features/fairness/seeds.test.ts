import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";

import type { Round } from "@/lib/api/types";
import { shortHash } from "@/lib/short";

import { noteSeed, seedQuery } from "./api";

const pair = { id: "one", commitment: "aa", nextCommitment: "bb", clientSeed: "mine", nonce: 3 };
const madeBy = (commitment: string) => ({ seed: { commitment } as Round["seed"] });

function known(): QueryClient {
  const client = new QueryClient();
  client.setQueryData(seedQuery.queryKey, pair);
  return client;
}
const isOld = (client: QueryClient) => client.getQueryState(seedQuery.queryKey)?.isInvalidated;

describe("the promise on the game page", () => {
  it("stays while the rounds come from its seeds", () => {
    const client = known();
    noteSeed(client, madeBy("aa"));
    expect(isOld(client)).toBe(false);
  });

  it("is loaded again when a round comes from other seeds", () => {
    const client = known();
    noteSeed(client, madeBy("bb"));
    expect(isOld(client)).toBe(true);
  });

  it("is shown by its two ends", () => {
    expect(shortHash("0123456789abcdef")).toBe("0123…cdef");
  });
});
