import { getBoot } from "./boot/boot";

/** Which of several hosts has a picture: always the same one, so that it is fetched and kept once. */
export function hostOf(path: string, hosts: readonly string[]): string | undefined {
  let sum = 0;
  for (const char of path) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hosts[sum % hosts.length];
}

/** Where a vendor's picture is fetched from: the merchant's image hosts, where there are some, else here. */
export function imageAddress(path: string): string {
  const host = path.startsWith("/") ? hostOf(path, getBoot().imageCDNs ?? []) : undefined;
  return host === undefined ? path : host + path;
}
