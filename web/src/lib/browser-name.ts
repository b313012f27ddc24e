const browsers = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;

const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** What a browser calls itself, in the words of people: `Chrome, Android`; empty where nothing is known. */
export function browserName(userAgent: string | null | undefined): string {
  const named = (list: typeof browsers | typeof systems) =>
    list.find(([mark]) => userAgent?.includes(mark))?.[1];
  return [named(browsers), named(systems)].filter(Boolean).join(", ");
}
