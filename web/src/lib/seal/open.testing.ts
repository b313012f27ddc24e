import { sealInfo, sealSuite } from "./hpke";
import { type SealedBody, fromBase64Url, sealAad, toBase64Url } from "./seal";

/** Test helper: the public key of a private key given in hexadecimal. */
export async function publicKeyOf(privateKey: string): Promise<string> {
  const { publicKey } = await keyPair(privateKey);
  return toBase64Url(new Uint8Array(await sealSuite().kem.serializePublicKey(publicKey)));
}

/** Test helper: opens what `sealBody` made, as the server does. */
export async function openSealed(
  privateKey: string,
  method: string,
  path: string,
  body: SealedBody,
): Promise<string> {
  const { privateKey: recipientKey } = await keyPair(privateKey);
  const enc = fromBase64Url(body.enc).buffer;
  const recipient = await sealSuite().createRecipientContext({
    recipientKey,
    enc,
    info: sealInfo(),
  });
  const aad = sealAad(method, path, body.kid, body.at, body.nonce);
  const plain = await recipient.open(fromBase64Url(body.ct).buffer, aad.buffer);
  return new TextDecoder().decode(plain);
}

/** WebCrypto takes a P-256 private key only together with its public point, or wrapped in PKCS #8. */
async function keyPair(
  privateKey: string,
): Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> {
  const { kem } = sealSuite();
  const bytes = Uint8Array.from(Buffer.from(privateKey, "hex"));
  const key = await kem.deserializePrivateKey(bytes.buffer);
  const jwk = await crypto.subtle.exportKey("jwk", key);
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(jwk.x ?? "", "base64url"),
    Buffer.from(jwk.y ?? "", "base64url"),
  ]);
  const publicKey = await kem.deserializePublicKey(Uint8Array.from(point).buffer);
  return { privateKey: key, publicKey };
}
