import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { fromHex, toHex } from "./bytes";
import { FairStream, commitmentOf, matchesCommitment } from "./stream";

type Stream = {
  serverSeed: string;
  clientSeed: string;
  nonce: number;
  game: string;
  words: number[];
  below: { n: number; result: number }[];
};

const vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/fair.json", import.meta.url), "utf8"),
) as { streams: Stream[]; commitments: { serverSeed: string; commitment: string }[] };

describe("fair stream", () => {
  it.each(vectors.commitments)("commits to $serverSeed", async ({ serverSeed, commitment }) => {
    expect(await commitmentOf(serverSeed)).toBe(commitment);
    expect(await matchesCommitment(serverSeed, commitment.toUpperCase())).toBe(true);
    expect(await matchesCommitment(serverSeed, `${commitment.slice(0, -1)}x`)).toBe(false);
  });

  it.each(vectors.streams)("gives the words of $clientSeed:$nonce", async ({ words, ...draw }) => {
    const stream = new FairStream(draw);
    const made: number[] = [];
    for (const _ of words) made.push(await stream.word());
    expect(made).toEqual(words);
    expect(words.length).toBeGreaterThanOrEqual(8);
  });

  it.each(vectors.streams)("draws below n for $clientSeed:$nonce", async ({ below, ...draw }) => {
    const stream = new FairStream(draw);
    for (const { n, result } of below) expect(await stream.below(n), `below ${n}`).toBe(result);
  });

  it("rejects words that would favour some results", async () => {
    const seeds = vectors.streams.map((draw) => new FairStream(draw));
    for (const stream of seeds) for (let i = 0; i < 20; i += 1) await stream.below(2 ** 31 + 1);
    const taken = seeds.flatMap((stream) => stream.taken);
    expect(taken.filter(({ accepted }) => accepted)).toHaveLength(20 * seeds.length);
    expect(taken.some(({ accepted }) => !accepted)).toBe(true);
    for (const { word, accepted } of taken) expect(word <= 2 ** 31).toBe(accepted);
  });

  it("refuses what is no seed and no range", async () => {
    const draw = { serverSeed: "00", clientSeed: "a", nonce: 0, game: "dice" };
    await expect(new FairStream(draw).word()).rejects.toThrow(RangeError);
    await expect(commitmentOf("zz")).rejects.toThrow(RangeError);
    for (const n of [0, -1, 1.5, 2 ** 32 + 1]) {
      await expect(
        new FairStream({ ...draw, serverSeed: "00".repeat(32) }).below(n),
      ).rejects.toThrow(RangeError);
    }
  });

  it("turns bytes into hexadecimal and back", () => {
    expect(toHex(new Uint8Array([0, 15, 255]))).toBe("000fff");
    expect(fromHex("000FFf")).toEqual(new Uint8Array([0, 15, 255]));
    expect([fromHex("0"), fromHex("0x"), fromHex("é0")]).toEqual([null, null, null]);
  });
});
