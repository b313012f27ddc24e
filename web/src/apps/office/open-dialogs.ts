import { useEffect, useSyncExternalStore } from "react";

/** In the order in which they were opened, which may be another one than on the page. */
let open: readonly HTMLDialogElement[] = [];

function look(): void {
  const now = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")];
  const known = open.filter((dialog) => now.includes(dialog));
  open = [...known, ...now.filter((dialog) => !known.includes(dialog))];
}

function watch(tell: () => void): () => void {
  const observer = new MutationObserver(() => {
    look();
    tell();
  });
  const changes = { attributeFilter: ["open"], childList: true, subtree: true };
  observer.observe(document.body, changes);
  look();
  return () => observer.disconnect();
}

/** The dialog above all others: everything else is inert. */
export function useTopDialog(): HTMLDialogElement | undefined {
  return useSyncExternalStore(watch, () => open.at(-1));
}

/** A dialog's title, for its head once the title itself is scrolled away: the stylesheet shows it there. */
export function useHead(dialog: HTMLDialogElement | undefined): void {
  useEffect(() => {
    if (!dialog) return undefined;
    const note = () => {
      const title = document.getElementById(dialog.getAttribute("aria-labelledby") ?? "");
      const text = title?.textContent.replaceAll(/\s+/g, " ") ?? "";
      dialog.style.setProperty("--head", JSON.stringify(text));
    };
    const observer = new MutationObserver(note);
    observer.observe(dialog, { characterData: true, childList: true, subtree: true });
    note();
    return () => observer.disconnect();
  }, [dialog]);
}

/** Whoever loses the focus with what had it goes on at the heading of the dialog. */
export function useKeptFocus(dialog: HTMLDialogElement | undefined): void {
  useEffect(() => {
    if (!dialog) return undefined;
    let last: Element | null = null;
    const note = (event: FocusEvent) => {
      last = event.target as Element;
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const title = document.getElementById(dialog.getAttribute("aria-labelledby") ?? "");
      if (!title) return;
      title.tabIndex = -1;
      title.focus({ preventScroll: true });
    });
    dialog.addEventListener("focusin", note);
    observer.observe(dialog, { childList: true, subtree: true });
    last = dialog.contains(document.activeElement) ? document.activeElement : null;
    return () => {
      dialog.removeEventListener("focusin", note);
      observer.disconnect();
    };
  }, [dialog]);
}
