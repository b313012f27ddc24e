import { createHash, createHmac } from "node:crypto";

import { describe, expect, it } from "vitest";

import { toHex, utf8 } from "./bytes";
import { hmacSha256, sha256 } from "./sha256";

const repeated = (byte: number, count: number) => new Uint8Array(count).fill(byte);

describe("SHA-256", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("of the standard's own example “%s”", (text, digest) => {
    expect(toHex(sha256(utf8(text)))).toBe(digest);
  });

  it("agrees with another implementation at every length around the ends of blocks", () => {
    for (let length = 0; length < 200; length += 1) {
      const message = new Uint8Array(length).map((_, i) => (i * 37 + length) % 256);
      expect(toHex(sha256(message)), `${length}`).toBe(
        createHash("sha256").update(message).digest("hex"),
      );
    }
  });
});

describe("HMAC-SHA-256", () => {
  // RFC 4231, cases 1, 2, 3 and 6.
  it.each([
    [
      repeated(0x0b, 20),
      utf8("Hi There"),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ],
    [
      utf8("Jefe"),
      utf8("what do ya want for nothing?"),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ],
    [
      repeated(0xaa, 20),
      repeated(0xdd, 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ],
    [
      repeated(0xaa, 131),
      utf8("Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
  ])("of the published examples", (key, message, mac) => {
    expect(toHex(hmacSha256(key, message))).toBe(mac);
  });

  it("agrees with another implementation on keys as long as ours", () => {
    for (let number = 0; number < 100; number += 1) {
      const key = sha256(utf8(`key ${number}`));
      const message = utf8(`client:${number}:dice:${"x".repeat(number)}`);
      expect(toHex(hmacSha256(key, message))).toBe(
        createHmac("sha256", key).update(message).digest("hex"),
      );
    }
  });
});
