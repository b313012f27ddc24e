import type { Key, Translate } from "@/lib/i18n/i18n";
import { formatMoney } from "@/lib/money/money";
import { rightText, roleText } from "../rights";

/** What is known to stand in a change, by the last part of its path. */
export const fieldNames: Readonly<Record<string, Key>> = {
  // People and their accounts
  username: "office.username",
  name: "office.name",
  roles: "office.roles",
  isActive: "office.is_active_field",
  state: "office.state",
  status: "office.state",
  // Games and vendors
  displayName: "offer.vendor_name",
  position: "offer.position",
  maintenance: "offer.maintenance",
  isNew: "offer.is_new",
  isHot: "offer.is_hot",
  visible: "offer.is_visible",
  limits: "offer.limits",
  minStake: "offer.min_stake",
  maxStake: "offer.max_stake",
  maxPayout: "offer.max_payout",
  // Settings
  enabled: "settings.on",
  on: "settings.maintenance",
  required: "settings.rule_required",
  minLength: "settings.rule_min",
  maxLength: "settings.rule_max",
  patternId: "settings.rule_pattern",
  minimumAge: "settings.minimum_age",
  passwordDays: "settings.password_days",
  dialingCode: "settings.dialing_code",
  restricted: "settings.closed_there",
  closedCategories: "settings.closed_categories",
  shared: "settings.shared",
  timeZone: "settings.time_zone",
  mainDomain: "settings.main_domain",
  welcomeCredit: "office.welcome_credit_field",
  codeMinutes: "settings.code_minutes",
  smsPerDay: "settings.sms_per_day",
  trialHours: "settings.trial_hours",
  domainRoute: "settings.domain_route",
  resources: "settings.resources",
  customerService: "settings.customer_service",
  analyticsId: "settings.analytics_id",
  imageCdns: "settings.image_cdns",
  launchGameCdns: "settings.game_cdns",
  languages: "settings.languages_short",
  defaultLanguage: "settings.default_language",
  lotteryType: "settings.lottery_type",
  centerGameList: "settings.center_games",
  esportProviders: "settings.esport_providers",
  cockfightProviders: "settings.cockfight_providers",
  prizeModes: "settings.prize_modes",
  gameTypeLabels: "settings.game_labels",
  // Content
  slot: "edit.group",
  isShown: "edit.is_shown",
  startsAt: "edit.from",
  endsAt: "edit.until",
  data: "edit.where",
  texts: "edit.text",
  title: "edit.title",
  text: "edit.text",
  content: "edit.content",
  summary: "edit.summary",
  terms: "edit.terms",
  alt: "edit.alt",
  url: "edit.url",
  image: "edit.image",
  file: "edit.file",
  version: "edit.version",
  section: "edit.section",
  slug: "edit.slug",
};

/** What only holds others: those have names of their own. */
const holders = new Set(["limits", "texts", "data", "what"]);

/** Where something stands, in words; what only a newer server knows is as it is written. */
export function fieldText(path: string, t: Translate): string {
  const parts = path.split(".");
  const last = parts.at(-1) ?? "";
  const name = fieldNames[last];
  if (!name) return path;
  const more = parts.slice(0, -1).filter((part) => !holders.has(part));
  return more.length > 0 ? `${t(name)} (${more.join(", ")})` : t(name);
}

const money = new Set(["minStake", "maxStake", "maxPayout"]);

/** A value in words: yes and no, roles and rights by their names, stakes as money. */
export function valueText(path: string, value: string, t: Translate, tag: string): string {
  if (value === "true") return t("office.yes");
  if (value === "false") return t("office.no");
  if (value === "null" || value === "") return "–";
  if (path === "roles") return roleText(value, t);
  // The rights of a role are a list by itself.
  if (path === "") return rightText(value, t);
  const [holder, currency = "", name = ""] = path.split(".");
  if (holder === "limits" && money.has(name) && /^[A-Z]{3}$/.test(currency)) {
    return formatMoney(value, currency, tag);
  }
  return value;
}
