const reloadedKey = "reloaded";
const waits = [300, 1000, 3000];

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Loads a part of the site, trying again when the network fails. After that the page is loaded anew, once:
 * a release may have replaced the files that this page still asks for.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (const wait of waits) {
    try {
      const part = await load();
      sessionStorage.removeItem(reloadedKey);
      return part;
    } catch {
      await pause(wait);
    }
  }
  return load().catch(reloadOnce);
}

function reloadOnce(error: unknown): Promise<never> {
  if (sessionStorage.getItem(reloadedKey)) throw error;
  sessionStorage.setItem(reloadedKey, "1");
  location.reload();
  return new Promise(() => undefined);
}
