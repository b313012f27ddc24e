import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey as pbkdf2 } from "altcha-lib/algorithms/pbkdf2";
import { deriveKey as sha } from "altcha-lib/algorithms/sha";
import { describe, expect, it } from "vitest";
import { type Challenge, solve } from "./solve";

const secret = "a secret of the test";

describe("solve", () => {
  it.each([
    ["PBKDF2/SHA-256", pbkdf2, 10],
    ["PBKDF2/SHA-512", pbkdf2, 10],
    ["SHA-256", sha, 3],
  ] as const)(
    "finds what the protocol's own library accepts: %s",
    async (algorithm, deriveKey, cost) => {
      const challenge = await createChallenge({
        algorithm,
        cost,
        counter: 300,
        deriveKey,
        hmacSignatureSecret: secret,
        hmacKeySignatureSecret: "another",
      });
      const solution = await solve(challenge as Challenge);
      expect(solution.counter).toBe(300);
      const { verified } = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret: secret,
      });
      expect(verified).toBe(true);
    },
  );

  it("says when it does not know the way", async () => {
    const parameters = { algorithm: "SCRYPT", cost: 1, nonce: "00", salt: "00", keyPrefix: "00" };
    await expect(solve({ parameters })).rejects.toThrow("SCRYPT");
  });
});
