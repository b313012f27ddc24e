/** How long it may take until a row shows what has become of it. */
const patienceMs = 3_000;

/** Puts the focus on the first thing in a row that can be done, or on the row itself. */
export function focusRow(row: HTMLElement): void {
  const first = row.querySelector<HTMLElement>("button, a[href], input");
  if (!first) row.tabIndex = -1;
  (first ?? row).focus();
}

/**
 * The focus comes back to the button that has opened a popup, which may go with what was done there, before or after: then
 * the focus goes to the button in its place.
 */
export function keepFocusIn(row: HTMLElement): void {
  const look = () => {
    if (document.activeElement === document.body && row.isConnected) focusRow(row);
  };
  // The popup that closes is still there, and has the focus.
  setTimeout(look);
  const observer = new MutationObserver(look);
  observer.observe(row, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), patienceMs);
}
