import { type Page, openSideWindow } from "../side-window";

/** Where the service's page is, and who we are to it; the boot data tell both. */
export type PhoneService = { page: string; client: string };

export type PhoneEvents = {
  onBlocked: () => void;
  /** A token may still come. */
  onClosed: () => void;
  /** The number is proved; the server reads in the token which one it is. */
  onToken: (idToken: string) => void;
  /** The service came back without a proof. */
  onRefused: () => void;
};

type Visit = { number: string; lang: string; state: string; nonce: string; origin: string };

/** The address that a visitor goes to the service with: OpenID Connect's implicit flow. */
export function serviceAddress({ page, client }: PhoneService, visit: Visit): string {
  const address = new URL(page);
  const query = {
    response_type: "id_token",
    client_id: client,
    redirect_uri: `${visit.origin}/wps/session/phone/return`,
    scope: "openid phone",
    state: visit.state,
    nonce: visit.nonce,
    login_hint: visit.number,
    ui_locales: visit.lang,
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address.href;
}

/** The nonce in a token. Whether the token is genuine, the server finds out. */
function nonceOf(token: string): unknown {
  try {
    const claims = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
    return (JSON.parse(atob(claims)) as { nonce?: unknown }).nonce;
  } catch {
    return undefined;
  }
}

/** What a window says that has come back with our state: a token that was made for us, or false. */
function readReturn(data: unknown, { state, nonce }: Visit): string | false | null {
  if (typeof data !== "object" || data === null) return null;
  const told = data as Record<string, unknown>;
  if (told["state"] !== state) return null;
  const { idToken } = told;
  return typeof idToken === "string" && nonceOf(idToken) === nonce ? idToken : false;
}

/** 256 random bits; a UUID has 122. */
function secretText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Has the service verify a number in a window of its own. Returns how to stop listening. */
export function verifyNumber(
  service: PhoneService,
  { number, lang }: Pick<Visit, "number" | "lang">,
  { onBlocked, onClosed, onToken, onRefused }: PhoneEvents,
  page: Page = globalThis.window,
): () => void {
  const state = secretText();
  const nonce = secretText();
  const visit = { number, lang, state, nonce, origin: page.origin };
  const onTold = (token: string | false) => (token === false ? onRefused() : onToken(token));
  return openSideWindow(
    { address: serviceAddress(service, visit), name: "capiz-phone" },
    (data) => readReturn(data, visit),
    { onBlocked, onClosed, onTold },
    page,
  );
}
