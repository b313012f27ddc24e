/** Lets whoever has lost the focus, with what had it, go on at the page's heading. A popup that is open has its own. */
export function focusPage(): void {
  const { activeElement, body } = document;
  if ((activeElement && activeElement !== body) || document.querySelector("dialog:modal")) return;
  const place = document.querySelector<HTMLElement>("main h1") ?? document.getElementById("main");
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
