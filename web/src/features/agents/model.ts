import type { Key } from "@/lib/i18n/i18n";

export const contactKinds = ["EMAIL", "MOBILE", "TELEGRAM", "WHATSAPP"] as const;
export type ContactKind = (typeof contactKinds)[number];

export const contactLabels: Readonly<Record<ContactKind, Key>> = {
  EMAIL: "join.email",
  MOBILE: "join.mobile",
  TELEGRAM: "join.telegram",
  WHATSAPP: "join.whatsapp",
};

export type ApplicationForm = {
  name: string;
  contactKind: ContactKind;
  contact: string;
  audience: string;
  message: string;
};

/** How many characters each field takes. */
export const bounds = {
  name: { min: 2, max: 80 },
  contact: { min: 3, max: 120 },
  audience: { min: 2, max: 500 },
  message: { min: 0, max: 1000 },
} as const;
export type Bounded = keyof typeof bounds;

/** Characters as people count them; spaces at the ends are none. */
export function lengthOf(text: string): number {
  return [...text.trim()].length;
}

/** What is wrong with an application. */
export function applicationFaults(form: ApplicationForm): Partial<Record<Bounded, Key>> {
  const faults: Partial<Record<Bounded, Key>> = {};
  for (const name of Object.keys(bounds) as Bounded[]) {
    const { min, max } = bounds[name];
    const length = lengthOf(form[name]);
    if (length === 0 && min > 0) faults[name] = "field.required";
    else if (length < min || length > max) faults[name] = "join.bounds";
  }
  return faults;
}
