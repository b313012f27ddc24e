/** The server takes 1 to 64 printable ASCII characters. */
export function isClientSeed(text: string): boolean {
  return /^[\x20-\x7e]{1,64}$/.test(text);
}

/** A client seed to start from; the player may write any other. */
export function newClientSeed(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
}
