import { fromHex, toHex, utf8 } from "./bytes";
import { hmacSha256, sha256 } from "./sha256";

/** What a draw is made from. `serverSeed` is 32 bytes in hexadecimal. */
export type Draw = { serverSeed: string; clientSeed: string; nonce: number; game: string };

/** One HMAC block of the stream, kept so that a player can check it with any other tool. */
export type Block = { index: number; message: string; hex: string; words: readonly number[] };

/** One word looked at by `below`; a rejected word would have favoured some results. */
export type Taken = { word: number; accepted: boolean };

/** A number that was drawn: which of 0 to n − 1 it is, the word it was made from, and how many were thrown away before. */
export type Drawn = { n: number; value: number; word: number; thrown: number };

const RANGE = 2 ** 32;

/** The commitment that the server publishes before play: SHA-256 of the seed's bytes. */
export async function commitmentOf(serverSeed: string): Promise<string> {
  return toHex(sha256(seedBytes(serverSeed)));
}

/** True when the revealed seed is the one that was promised. */
export async function matchesCommitment(serverSeed: string, commitment: string): Promise<boolean> {
  return (await commitmentOf(serverSeed)) === commitment.toLowerCase();
}

/**
 * The stream of 32-bit words behind a round. Written from the published rule, not from the server's
 * code, so that the two check each other.
 */
export class FairStream {
  readonly blocks: Block[] = [];
  readonly taken: Taken[] = [];
  readonly drawn: Drawn[] = [];
  private next = 0;

  constructor(private readonly draw: Draw) {}

  /** The next word of the stream. */
  async word(): Promise<number> {
    const index = Math.floor(this.next / 8);
    const block = this.blocks[index] ?? this.addBlock(index);
    const word = block.words[this.next % 8];
    if (word === undefined) throw new Error("a block has eight words");
    this.next += 1;
    return word;
  }

  /** A number from 0 to n − 1, each equally likely. */
  async below(n: number): Promise<number> {
    if (!Number.isInteger(n) || n < 1 || n > RANGE) throw new RangeError(`below(${n})`);
    const limit = Math.floor(RANGE / n) * n;
    for (let thrown = 0; ; thrown += 1) {
      const word = await this.word();
      const accepted = word < limit;
      this.taken.push({ word, accepted });
      if (!accepted) continue;
      this.drawn.push({ n, value: word % n, word, thrown });
      return word % n;
    }
  }

  private addBlock(index: number): Block {
    const { clientSeed, nonce, game } = this.draw;
    const message = `${clientSeed}:${nonce}:${game}:${index}`;
    const mac = hmacSha256(seedBytes(this.draw.serverSeed), utf8(message));
    const view = new DataView(mac.buffer);
    const words = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i, false));
    const block = { index, message, hex: toHex(mac), words };
    this.blocks[index] = block;
    return block;
  }
}

function seedBytes(serverSeed: string): Uint8Array<ArrayBuffer> {
  const bytes = fromHex(serverSeed);
  if (bytes?.length !== 32) throw new RangeError("a server seed is 32 bytes in hexadecimal");
  return bytes;
}
