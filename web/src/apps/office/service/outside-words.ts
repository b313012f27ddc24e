import type { Key } from "@/lib/i18n/i18n";
import type { Outcome, OutsideName } from "./api";

type Words = { name: Key; text: Key; missing: Key };

/** What each service is for, and what it means that it is not there. */
export const outsideWords: Readonly<Record<OutsideName, Words>> = {
  sms: { name: "service.sms", text: "service.sms_text", missing: "service.sms_missing" },
  mail: { name: "service.mail", text: "service.mail_text", missing: "service.mail_missing" },
  phone: { name: "service.phone", text: "service.phone_text", missing: "service.phone_missing" },
  oidc: { name: "service.oidc", text: "service.oidc_text", missing: "service.oidc_missing" },
  oauth: { name: "service.oauth", text: "service.oauth_text", missing: "service.oauth_missing" },
  countries: {
    name: "service.countries",
    text: "service.countries_text",
    missing: "service.countries_missing",
  },
};

/** What came of a try, in plain words: an outcome without sentence does not compile. */
export const outcomeWords: Readonly<Record<Outcome, Key>> = {
  taken: "service.tried_taken",
  keys: "service.tried_keys",
  answered: "service.tried_answered",
  country: "service.tried_country",
  no_country: "service.tried_no_country",
  credentials: "service.tried_credentials",
  refused: "service.tried_refused",
  later: "service.tried_later",
  unreachable: "service.tried_unreachable",
  slow: "service.tried_slow",
  unreadable: "service.tried_unreadable",
};
