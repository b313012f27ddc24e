/** The session token lives in session storage only: a second tab logs in by itself. */
const listeners = new Set<(token: string | null) => void>();

export function readToken(): string | null {
  return globalThis.sessionStorage?.getItem("token") ?? null;
}

export function storeToken(token: string): void {
  sessionStorage.setItem("token", token);
  announce(token);
}

/** Ends the session on this side: everything is forgotten but the merchant. */
export function clearSession(): void {
  const merchant = readMerchant();
  const had = readToken();
  sessionStorage.clear();
  if (merchant) sessionStorage.setItem("merchant", merchant);
  if (had) announce(null);
}

/** Keeps whose site this is, for the tab and for the browser. */
export function keepMerchant(code: string): void {
  try {
    sessionStorage.setItem("merchant", code);
    localStorage.setItem("merchant", code);
  } catch {
    // A browser may keep nothing, or be full: the host says as well whose site it is.
  }
}

export function readMerchant(): string | null {
  return globalThis.sessionStorage?.getItem("merchant") ?? null;
}

export function onTokenChange(listener: (token: string | null) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(token: string | null): void {
  for (const listener of listeners) listener(token);
}
