import type { Key, Translate } from "@/lib/i18n/i18n";
import { shortNumber } from "@/lib/short";
import { kinds } from "../content/kinds";
import { roleText } from "../rights";
import { settingText } from "../settings/history";
import type { NameOf } from "./names";

/** What is not one of many. */
const wholes: Readonly<Record<string, Key>> = {
  "staff:people": "office.all_people",
  "members:rows": "office.all_members",
  "trail:rows": "office.all_trail",
};

/** Kinds of which one is known by its number. */
const numbered: Readonly<Record<string, Key>> = {
  approval: "office.an_approval",
  message: "office.a_message",
  job: "office.a_job",
  feedback: "office.a_feedback",
  application: "office.an_application",
};

/** What it was done to, `kind:name`, in words where they are known. */
export function subjectText(subject: string, nameOf: NameOf, t: Translate): string {
  const whole = wholes[subject];
  if (whole) return t(whole);
  const [kind, name] = split(subject);
  const one = numbered[kind];
  if (one) return t(one, shortNumber(name));
  const known = nameOf(subject);
  if (kind === "person") return known ?? t("office.a_person", shortNumber(name));
  if (kind === "member") return t("office.a_member", known ?? shortNumber(name));
  if (kind === "setting") return settingSubject(name, t);
  if (kind === "content") return contentSubject(name, t);
  if (kind === "file") return t("office.a_file", name);
  if (kind === "vendor") return t("office.a_vendor", known ?? name);
  if (kind === "game") return t("office.a_game", gameSubject(name, known));
  if (kind === "service") return t("office.a_service", name);
  return kind === "role" ? t("office.a_role", roleText(name, t)) : subject;
}

/** `merchant/kind/name`: which setting of which site. */
function settingSubject(text: string, t: Translate): string {
  const [merchant = "", kind = "", ...name] = text.split("/");
  return `${settingText({ kind, name: name.join("/") }, t)} · ${merchant}`;
}

/** `merchant/kind/title`; of the order of a list it is the place. */
function contentSubject(text: string, t: Translate): string {
  const [merchant = "", kind = "", ...title] = text.split("/");
  const known = Object.entries(kinds).find(([id]) => id === kind)?.[1];
  return [known ? t(known.title) : kind, title.join("/"), merchant].filter(Boolean).join(" · ");
}

/** `code`, or `merchant/code` for what a site made of it. */
function gameSubject(text: string, known: string | undefined): string {
  const [first = "", code] = text.split("/");
  return code === undefined ? (known ?? first) : `${known ?? code} · ${first}`;
}

function split(subject: string): [string, string] {
  const at = subject.indexOf(":");
  return [subject.slice(0, at), subject.slice(at + 1)];
}
