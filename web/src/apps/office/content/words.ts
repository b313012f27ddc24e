import type { Key } from "@/lib/i18n/i18n";
import { wordOf } from "../form";

/** Sentences for what the server finds wrong with content, by field and code. */
const words: Readonly<Record<string, Key>> = {
  "slot.taken": "edit.fault_slot_taken",
  "data.slug.pattern": "edit.fault_slug",
  "data.slug.taken": "edit.fault_slug_taken",
  "data.url.pattern": "edit.fault_url",
  "data.image.pattern": "edit.fault_image",
  "data.section.unknown": "office.unknown",
  "endsAt.too_early": "edit.fault_ends",
  "file.no_room": "edit.fault_no_room",
};

/** Those of any text. */
const textWords: Readonly<Record<string, Key>> = {
  too_long: "edit.fault_long",
  tangled: "edit.fault_tangled",
};

/** A sentence for a fault. */
export function faultWord(name: string, code: string): Key {
  const ofText = name.startsWith("texts.") || name === "html" ? textWords[code] : undefined;
  return words[`${name}.${code}`] ?? ofText ?? wordOf(name, code);
}
