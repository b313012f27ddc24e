/** A challenge of the ALTCHA protocol, version 2, as far as solving it goes. */
export type Challenge = {
  parameters: {
    algorithm: string;
    cost: number;
    nonce: string;
    salt: string;
    keyLength?: number;
    keyPrefix: string;
  };
  signature?: string;
};

export type Solution = { counter: number; derivedKey: string; time: number };

type Bytes = Uint8Array<ArrayBuffer>;
type Derive = (password: Bytes) => Promise<Bytes>;

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One try by PBKDF2: a key is derived from the password and the salt. */
function pbkdf2(hash: string, salt: Bytes, iterations: number, length: number): Derive {
  return async (password) => {
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const way = { name: "PBKDF2", hash, salt, iterations };
    return new Uint8Array(await crypto.subtle.deriveBits(way, key, length * 8));
  };
}

/** One try by a hash that is repeated. */
function repeated(hash: string, salt: Bytes, iterations: number, length: number): Derive {
  return async (password) => {
    let digest: Bytes = new Uint8Array([...salt, ...password]);
    for (let round = 0; round < iterations; round += 1) {
      digest = new Uint8Array(await crypto.subtle.digest(hash, digest));
    }
    return digest.slice(0, length);
  };
}

function derivation({ algorithm, salt, cost, keyLength = 32 }: Challenge["parameters"]): Derive {
  const found = /^(PBKDF2\/)?(SHA-(?:256|384|512))$/.exec(algorithm);
  if (!found?.[2]) throw new Error(`no way to solve ${algorithm}`);
  const way = found[1] ? pbkdf2 : repeated;
  return way(found[2], fromHex(salt), Math.max(1, cost), keyLength);
}

/** Tries one number after the other until the key that it gives begins as asked. */
export async function solve(challenge: Challenge): Promise<Solution> {
  const { nonce, keyPrefix } = challenge.parameters;
  const derive = derivation(challenge.parameters);
  const start = performance.now();
  const prefix = keyPrefix.toLowerCase();
  const bytes = fromHex(nonce);
  const password = new Uint8Array(bytes.length + 4);
  password.set(bytes);
  for (let counter = 0; ; counter += 1) {
    new DataView(password.buffer).setUint32(bytes.length, counter);
    const derivedKey = toHex(await derive(password));
    if (derivedKey.startsWith(prefix)) {
      return { counter, derivedKey, time: Math.round(performance.now() - start) };
    }
  }
}
