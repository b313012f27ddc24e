/**
 * SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104). The browser has both, but not in a page that was opened from
 * disk or over plain http, where a round must be checkable, too.
 */
type Bytes = Uint8Array<ArrayBuffer>;

const BLOCK = 64;
const DIGEST = 32;

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function rootBits(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes.map((prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

const START = rootBits(8, Math.sqrt);
const ROUNDS = rootBits(64, Math.cbrt);

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The message, a one, zeros, and its length in bits. */
function padded(message: Bytes): DataView {
  const length = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(length - 8, 8n * BigInt(message.length));
  return view;
}

/** The sixteen words of a block, and forty-eight that follow from them. */
function schedule(view: DataView, at: number): Uint32Array {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + 4 * i);
  const word = (i: number): number => words[i] ?? 0;
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [word(i - 15), word(i - 2)];
    const one = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const two = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = (word(i - 16) + one + word(i - 7) + two) >>> 0;
  }
  return words;
}

type State = [number, number, number, number, number, number, number, number];

function mix(state: State, words: Uint32Array): State {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const one = (h + high + choice + (ROUNDS[i] ?? 0) + (words[i] ?? 0)) >>> 0;
    const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const most = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + low + most) >>> 0];
  }
  const mixed: State = [a, b, c, d, e, f, g, h];
  return mixed.map((word, i) => (word + (state[i] ?? 0)) >>> 0) as State;
}

/** The hash of a message: 32 bytes. */
export function sha256(message: Bytes): Bytes {
  const view = padded(message);
  let state = START as State;
  for (let at = 0; at < view.byteLength; at += BLOCK) state = mix(state, schedule(view, at));
  const digest = new Uint8Array(DIGEST);
  const out = new DataView(digest.buffer);
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return digest;
}

/** The keyed hash of a message: 32 bytes. */
export function hmacSha256(key: Bytes, message: Bytes): Bytes {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(join(xored(block, 0x36), message));
  return sha256(join(xored(block, 0x5c), inner));
}

function xored(bytes: Bytes, with_: number): Bytes {
  return bytes.map((byte) => byte ^ with_);
}

function join(one: Bytes, two: Bytes): Bytes {
  const both = new Uint8Array(one.length + two.length);
  both.set(one);
  both.set(two, one.length);
  return both;
}
