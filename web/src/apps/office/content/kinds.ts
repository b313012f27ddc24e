import type { Key } from "@/lib/i18n/i18n";

/** What staff write for a site, in the order of the list. */
export const kindIds = [
  "banner",
  "announcement",
  "notice",
  "promotion",
  "help_section",
  "help_article",
  "page",
  "download",
] as const;

export type KindId = (typeof kindIds)[number];

type Choice = { value: string; label: Key };

/** A text that is written in each language. */
export type TextField = {
  name: string;
  label: Key;
  /** One line, several of them, or HTML. */
  shape: "line" | "lines" | "html";
  isNeeded?: boolean;
};

/** What is the same in all languages. */
export type DataField = {
  name: string;
  label: Key;
  hint?: Key;
  /** What is `kept` comes along with another field, and is not asked for. */
  shape: "text" | "choice" | "image" | "file" | "section" | "promotion" | "kept";
  choices?: readonly Choice[];
  isNeeded?: boolean;
  /** Asked for only where another field has one of some values. */
  only?: { field: string; values: readonly string[] };
};

export type Kind = {
  title: Key;
  text: Key;
  add: Key;
  /** Where on the site it stands; nothing where there is one place. */
  slots: readonly Choice[];
  slotLabel: Key;
  /** A slot has one of it, and no more. */
  isOnePerSlot?: boolean;
  isOrdered: boolean;
  isScheduled: boolean;
  data: readonly DataField[];
  texts: readonly TextField[];
};

const title: TextField = {
  name: "title",
  label: "edit.title",
  shape: "line",
  isNeeded: true,
};
const html: TextField = {
  name: "content",
  label: "edit.content",
  shape: "html",
  isNeeded: true,
};

const promotionTypes: readonly Choice[] = [
  { value: "OTHER", label: "edit.type_other" },
  { value: "SPORTS", label: "edit.type_sports" },
  { value: "LIVE", label: "edit.type_live" },
  { value: "SLOTS", label: "edit.type_slots" },
  { value: "CARD", label: "edit.type_card" },
  { value: "FISH", label: "edit.type_fish" },
  { value: "LOTTO", label: "edit.type_lotto" },
  { value: "REBATE", label: "edit.type_rebate" },
  { value: "POINTS", label: "edit.type_points" },
  { value: "RANK", label: "edit.type_rank" },
  { value: "DEPOSIT", label: "edit.type_deposit" },
  { value: "DOWNLOAD", label: "edit.type_download" },
  { value: "NEWPLAYER", label: "edit.type_newplayer" },
];

const banner: Kind = {
  title: "edit.banners",
  text: "edit.banners_text",
  add: "edit.banner_add",
  slotLabel: "edit.group",
  slots: [
    { value: "w_home", label: "edit.group_home" },
    { value: "w_login", label: "edit.group_login" },
    { value: "w_register", label: "edit.group_register" },
    { value: "w_forgot", label: "edit.group_forgot" },
    { value: "w_video", label: "edit.group_video" },
  ],
  isOrdered: true,
  isScheduled: true,
  data: [
    { name: "image", label: "edit.image", hint: "edit.image_hint", shape: "image" },
    {
      name: "linkageType",
      label: "edit.leads_to",
      shape: "choice",
      choices: [
        { value: "NONE", label: "edit.leads_nowhere" },
        { value: "ROUTE", label: "edit.leads_route" },
        { value: "PROMOTION", label: "edit.leads_promotion" },
        { value: "GAME", label: "edit.leads_game" },
        { value: "OUTSIDE", label: "edit.leads_outside" },
        { value: "VIDEO", label: "edit.leads_video" },
      ],
    },
    {
      name: "url",
      label: "edit.url",
      hint: "edit.url_hint",
      shape: "text",
      isNeeded: true,
      only: {
        field: "linkageType",
        values: ["ROUTE", "PROMOTION", "GAME", "OUTSIDE", "VIDEO"],
      },
    },
  ],
  texts: [
    title,
    { name: "text", label: "edit.text", shape: "lines" },
    { name: "alt", label: "edit.alt", shape: "line" },
  ],
};

const announcement: Kind = {
  title: "edit.announcements",
  text: "edit.announcements_text",
  add: "edit.announcement_add",
  slotLabel: "edit.type",
  slots: [],
  isOrdered: true,
  isScheduled: true,
  data: [
    {
      name: "type",
      label: "edit.type",
      shape: "choice",
      choices: [
        { value: "PU", label: "edit.type_popup" },
        { value: "H", label: "edit.type_public" },
      ],
    },
    {
      name: "execution",
      label: "edit.execution",
      shape: "choice",
      choices: [
        { value: "A", label: "edit.execution_a" },
        { value: "F", label: "edit.execution_f" },
        { value: "B", label: "edit.execution_b" },
      ],
      only: { field: "type", values: ["PU"] },
    },
    {
      name: "promotion",
      label: "edit.goes_to",
      shape: "promotion",
      only: { field: "type", values: ["PU"] },
    },
    { name: "promotionType", label: "edit.type", shape: "kept" },
  ],
  texts: [title, html],
};

const promotion: Kind = {
  title: "edit.promotions",
  text: "edit.promotions_text",
  add: "edit.promotion_add",
  slotLabel: "edit.type",
  slots: [],
  isOrdered: true,
  isScheduled: true,
  data: [
    { name: "slug", label: "edit.slug", hint: "edit.slug_hint", shape: "text", isNeeded: true },
    { name: "type", label: "edit.type", shape: "choice", choices: promotionTypes },
    { name: "image", label: "edit.image", hint: "edit.image_hint", shape: "image" },
  ],
  texts: [
    title,
    { name: "summary", label: "edit.summary", shape: "lines", isNeeded: true },
    html,
    { name: "terms", label: "edit.terms", shape: "html" },
  ],
};

const helpArticle: Kind = {
  title: "edit.help_articles",
  text: "edit.help_articles_text",
  add: "edit.help_article_add",
  slotLabel: "edit.section",
  slots: [],
  isOrdered: true,
  isScheduled: true,
  data: [
    { name: "section", label: "edit.section", shape: "section", isNeeded: true },
    { name: "slug", label: "edit.slug", hint: "edit.slug_hint", shape: "text", isNeeded: true },
  ],
  texts: [title, html],
};

const page: Kind = {
  title: "edit.pages",
  text: "edit.pages_text",
  add: "edit.page_add",
  slotLabel: "edit.page",
  slots: [
    { value: "terms", label: "edit.page_terms" },
    { value: "privacy", label: "edit.page_privacy" },
    { value: "responsible", label: "edit.page_responsible" },
    { value: "about", label: "edit.page_about" },
  ],
  isOnePerSlot: true,
  isOrdered: false,
  isScheduled: false,
  data: [],
  texts: [title, html],
};

const download: Kind = {
  title: "edit.downloads",
  text: "edit.downloads_text",
  add: "edit.download_add",
  slotLabel: "edit.system",
  slots: [
    { value: "ANDROID", label: "edit.system_android" },
    { value: "IOS", label: "edit.system_ios" },
    { value: "IOS_LITE", label: "edit.system_ios_lite" },
  ],
  isOnePerSlot: true,
  isOrdered: false,
  isScheduled: false,
  data: [
    {
      name: "url",
      label: "edit.file",
      hint: "edit.file_hint",
      shape: "file",
      only: { field: "slot", values: ["ANDROID"] },
    },
    { name: "version", label: "edit.version", shape: "text" },
    { name: "bytes", label: "edit.file", shape: "kept" },
  ],
  texts: [{ name: "name", label: "edit.name", shape: "line", isNeeded: true }],
};

/** Each kind: where it stands, what it has, what is written of it. */
export const kinds: Readonly<Record<KindId, Kind>> = {
  banner,
  announcement,
  promotion,
  page,
  download,
  notice: {
    title: "edit.notices",
    text: "edit.notices_text",
    add: "edit.notice_add",
    slotLabel: "edit.type",
    slots: [],
    isOrdered: false,
    isScheduled: true,
    data: [],
    texts: [title, html],
  },
  help_section: {
    title: "edit.help_sections",
    text: "edit.help_sections_text",
    add: "edit.help_section_add",
    slotLabel: "edit.type",
    slots: [],
    isOrdered: true,
    isScheduled: false,
    data: [],
    texts: [title],
  },
  help_article: helpArticle,
};

/** The kind that the address asks for; the first where it asks for none that there is. */
export function kindOf(asked: string | undefined): KindId {
  return kindIds.find((id) => id === asked) ?? "banner";
}
