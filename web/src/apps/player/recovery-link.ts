/** The token of a recovery mail's link, until the popup for the new password takes it. In memory only. */
let token: string | null = null;
const listeners = new Set<() => void>();

/** Takes the token out of the address, in which it would stay for everybody who looks at the screen or the history. */
function clean(): void {
  const found = new URLSearchParams(location.hash.slice(1)).get("recover");
  if (location.pathname !== "/login" || !found) return;
  token = found;
  const address = location.pathname + location.search;
  // The browser's own function: who has put another in its place would be told, and look at the address.
  History.prototype.replaceState.call(history, history.state, "", address);
  for (const listener of listeners) listener();
}

/** Cleans the address, now and when a link is followed while the site is open: then only the fragment changes. */
export function watchRecovery(): void {
  clean();
  // Browsers send both, in this order; whoever listens after us finds a clean address.
  for (const event of ["popstate", "hashchange"]) addEventListener(event, clean);
}

export function takeRecoveryToken(): string | null {
  const taken = token;
  token = null;
  return taken;
}

/** Tells when a link was followed. Returns how to stop that. */
export function onRecoveryLink(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
