import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";

/** Binds a sealed body to this protocol and version. */
const INFO = new TextEncoder().encode("capiz/1");

/** HPKE of RFC 9180: base mode, P-256, HKDF-SHA-256, AES-256-GCM. */
export function sealSuite(): CipherSuite {
  return new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });
}

/** The `info` value of every sealed body. */
export function sealInfo(): ArrayBuffer {
  return INFO.slice().buffer;
}

/** Seals bytes for the holder of the private key. */
export async function sealBytes(
  publicKey: Uint8Array<ArrayBuffer>,
  plain: Uint8Array<ArrayBuffer>,
  aad: Uint8Array<ArrayBuffer>,
): Promise<{ enc: Uint8Array; ct: Uint8Array }> {
  const suite = sealSuite();
  const recipientPublicKey = await suite.kem.deserializePublicKey(publicKey.buffer);
  const sender = await suite.createSenderContext({ recipientPublicKey, info: sealInfo() });
  const ct = await sender.seal(plain.buffer, aad.buffer);
  return { enc: new Uint8Array(sender.enc), ct: new Uint8Array(ct) };
}
