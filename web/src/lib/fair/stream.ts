import { fromHex, toHex, utf8 } from "./bytes";

/** What a draw is made from. `serverSeed` is 32 bytes in hexadecimal. */
export type Draw = { serverSeed: string; clientSeed: string; nonce: number; game: string };

/** One HMAC block of the stream, kept so that a player can check it with any other tool. */
export type Block = { index: number; message: string; hex: string; words: readonly number[] };

/** One word looked at by `below`; a rejected word would have favoured some results. */
export type Taken = { word: number; accepted: boolean };

const RANGE = 2 ** 32;

/** The commitment that the server publishes before play: SHA-256 of the seed's bytes. */
export async function commitmentOf(serverSeed: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", seedBytes(serverSeed))));
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
  private next = 0;
  private key: Promise<CryptoKey> | undefined;

  constructor(private readonly draw: Draw) {}

  /** The next word of the stream. */
  async word(): Promise<number> {
    const index = Math.floor(this.next / 8);
    const block = this.blocks[index] ?? (await this.addBlock(index));
    const word = block.words[this.next % 8];
    if (word === undefined) throw new Error("a block has eight words");
    this.next += 1;
    return word;
  }

  /** A number from 0 to n − 1, each equally likely. */
  async below(n: number): Promise<number> {
    if (!Number.isInteger(n) || n < 1 || n > RANGE) throw new RangeError(`below(${n})`);
    const limit = Math.floor(RANGE / n) * n;
    for (;;) {
      const word = await this.word();
      const accepted = word < limit;
      this.taken.push({ word, accepted });
      if (accepted) return word % n;
    }
  }

  private async addBlock(index: number): Promise<Block> {
    const { clientSeed, nonce, game } = this.draw;
    const message = `${clientSeed}:${nonce}:${game}:${index}`;
    this.key ??= hmacKey(this.draw.serverSeed);
    const mac = await crypto.subtle.sign("HMAC", await this.key, utf8(message));
    const view = new DataView(mac);
    const words = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i, false));
    const block = { index, message, hex: toHex(new Uint8Array(mac)), words };
    this.blocks[index] = block;
    return block;
  }
}

function hmacKey(serverSeed: string): Promise<CryptoKey> {
  const hash = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", seedBytes(serverSeed), hash, false, ["sign"]);
}

function seedBytes(serverSeed: string): Uint8Array<ArrayBuffer> {
  const bytes = fromHex(serverSeed);
  if (bytes?.length !== 32) throw new RangeError("a server seed is 32 bytes in hexadecimal");
  return bytes;
}
