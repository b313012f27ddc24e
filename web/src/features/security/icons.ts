import type { Key } from "@/lib/i18n/i18n";

/** The pictures that members choose from, each one path on a 48 × 48 grid, drawn for this site. */
export const memberIcons = {
  capiz: "M8 8h14v14H8zM26 8h14v14H26zM8 26h14v14H8zM26 26h10a4 4 0 0 1 4 4v10H26z",
  pearl: "M6 30a18 14 0 0 1 36 0l-6 8H12zM24 22a6 6 0 1 0 .01 0M14 30l-4-8M34 30l4-8M24 16v-6",
  bangka: "M4 30h40l-6 8H10zM24 30V8l12 16H24M2 36h6M40 36h6M4 40c6 3 10-3 16 0s10-3 16 0",
  parol: "M24 4l5 14h15l-12 9 5 15-13-9-13 9 5-15L4 18h15zM24 33v12M20 45h8",
  sampaguita:
    "M24 20c-6-4-6-12 0-14 6 2 6 10 0 14zM28 24c4-6 12-6 14 0-2 6-10 6-14 0zM24 28c6 4 6 12 0 14-6-2-6-10 0-14zM20 24c-4 6-12 6-14 0 2-6 10-6 14 0z",
  mango:
    "M30 10c8 6 10 18 4 26s-18 8-24 0 0-14 8-18 8-10 12-8zM30 10c0-3 2-5 6-6M16 30c2 4 6 6 10 5",
  buko: "M24 8a18 18 0 1 0 .01 0M12 20c6-5 18-5 24 0M18 29h.1M30 29h.1M24 35h.1",
  anahaw:
    "M24 44V24M24 24L6 30M24 24l18 6M24 24L6 18M24 24l18-6M24 24L14 6M24 24L34 6M24 24V4M6 30c-2-14 8-26 18-26s20 12 18 26",
  tarsier:
    "M10 22a14 14 0 0 1 28 0v6a14 14 0 0 1-28 0zM17 18a5 5 0 1 0 .01 0M31 18a5 5 0 1 0 .01 0M22 32h4M8 18L6 10l8 2M40 18l2-8-8 2",
  carabao:
    "M14 20c-8 0-10-8-6-14 0 6 4 8 10 8h12c6 0 10-2 10-8 4 6 2 14-6 14l-3 18a7 7 0 0 1-14 0zM19 24h.1M29 24h.1M21 38h6",
  maya: "M6 28c6-14 22-18 30-8l8 2-7 4c-1 10-12 16-22 12l-9 2 4-6zM33 21h.1M16 28c4 5 10 5 14 1",
  jeepney:
    "M4 32V18h24l10 4 6 2v8zM4 24h24M12 18v6M20 18v6M28 18v14M13 32a5 5 0 1 0 .01 0M35 32a5 5 0 1 0 .01 0",
} as const;

export type MemberIconName = keyof typeof memberIcons;

export const memberIconNames = Object.keys(memberIcons) as readonly MemberIconName[];

export function isMemberIcon(name: string | undefined): name is MemberIconName {
  return name !== undefined && Object.hasOwn(memberIcons, name);
}

export const iconLabels: Readonly<Record<MemberIconName, Key>> = {
  capiz: "security.icon_capiz",
  pearl: "security.icon_pearl",
  bangka: "security.icon_bangka",
  parol: "security.icon_parol",
  sampaguita: "security.icon_sampaguita",
  mango: "security.icon_mango",
  buko: "security.icon_buko",
  anahaw: "security.icon_anahaw",
  tarsier: "security.icon_tarsier",
  carabao: "security.icon_carabao",
  maya: "security.icon_maya",
  jeepney: "security.icon_jeepney",
};
