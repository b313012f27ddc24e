/** What somebody can press, type into or stand on. */
const controls = "button, a[href], summary, input, select, textarea";
/** What only the page's own script gives an effect: a link works without it. */
const pressed = "button, summary";
/** Whoever has waited longer no longer expects it. */
const forgottenAfter = 10_000;

type Typed = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Place = { name: string; nth: number; path: string };

const controlsIn = (root: Element) => [...root.querySelectorAll<HTMLElement>(controls)];

const controlOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(controls) : null;

const isTyped = (control: HTMLElement): control is Typed =>
  control.matches("input, select, textarea");

function nameOf(control: HTMLElement): string {
  const words = control.getAttribute("aria-label") ?? control.getAttribute("name");
  const text = words ?? (control.matches("select") ? "" : control.textContent);
  return `${control.localName} ${text?.trim().replaceAll(/\s+/g, " ")}`;
}

/** The way from the root down to a control; it does not depend on the language. */
function pathOf(control: Element, root: Element): string {
  let path = control.className;
  for (let one = control; one !== root && one.parentElement; one = one.parentElement) {
    path += ` < ${one.localName}${[...one.parentElement.children].indexOf(one)}`;
  }
  return path;
}

/** Where each control of the page stands. */
function placesIn(root: Element): Map<HTMLElement, Place> {
  const counts = new Map<string, number>();
  const places = new Map<HTMLElement, Place>();
  for (const control of controlsIn(root)) {
    const name = nameOf(control);
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    places.set(control, { name, nth, path: pathOf(control, root) });
  }
  return places;
}

/** The control that has taken an old one's place: by its name, else (in another language) by where it stands. */
function successor(place: Place | undefined, root: Element): HTMLElement | undefined {
  if (!place) return undefined;
  const now = controlsIn(root);
  const found =
    now.filter((control) => nameOf(control) === place.name)[place.nth] ??
    now.find((control) => pathOf(control, root) === place.path);
  return found && found.getClientRects().length > 0 ? found : undefined;
}

function typeAgain(old: Typed, next: HTMLElement | undefined): void {
  if (!next || !isTyped(next) || next.localName !== old.localName) return;
  if (old instanceof HTMLInputElement && next instanceof HTMLInputElement) {
    if (old.type === "file") return;
    if (old.checked !== next.checked) next.click();
  }
  // Past the property that React has put on the element to notice changes: this one it must not know yet.
  const plain = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(next), "value");
  plain?.set?.call(next, old.value);
  for (const type of ["input", "change"]) next.dispatchEvent(new Event(type, { bubbles: true }));
}

/**
 * The prerendered page is on the screen before its script is there. What is pressed and typed until then is noted, and
 * done again on the same controls once the page has been rendered anew. This runs inline in the document's head.
 */
export function noteEarly(): void {
  const presses = new Map<HTMLElement, number>();
  const typed = new Set<Typed>();
  let held: HTMLElement | null = null;
  let focused: HTMLElement | null = null;

  const letGo = () => {
    held = null;
  };
  const notes: Readonly<Record<string, (event: Event) => void>> = {
    pointerdown: ({ target }) => {
      held = controlOf(target);
      focused = held;
    },
    pointerup: letGo,
    pointercancel: letGo,
    focusin: ({ target }) => {
      focused = controlOf(target);
    },
    input: ({ target }) => {
      const control = controlOf(target);
      if (control && isTyped(control)) typed.add(control);
    },
    click: (event) => {
      const control = controlOf(event.target);
      if (!control?.matches(pressed)) return;
      presses.set(control, Date.now());
      // A form is sent by the page's script, never by the browser.
      if (control.matches("button")) event.preventDefault();
    },
  };
  for (const [type, note] of Object.entries(notes)) addEventListener(type, note, true);

  const followRoot = (root: Element) => {
    const places = placesIn(root);
    const now = (old: HTMLElement) => successor(places.get(old), root);
    const pressAgain = () => {
      for (const [old, at] of presses) {
        if (Date.now() - at < forgottenAfter) now(old)?.click();
      }
    };
    const rendered = new MutationObserver(() => {
      rendered.disconnect();
      for (const [type, note] of Object.entries(notes)) removeEventListener(type, note, true);
      if (held) finishPress(held, now);
      for (const old of typed) typeAgain(old, now(old));
      if (focused && document.activeElement === document.body) {
        now(focused)?.focus({ preventScroll: true });
      }
      // The page's own effects come first.
      setTimeout(pressAgain);
    });
    rendered.observe(root, { childList: true });
  };

  // The whole page is there by then, and its script has not begun.
  const begin = () => {
    const root = document.getElementById("root");
    if (root) followRoot(root);
  };
  document.addEventListener("readystatechange", begin, { once: true });
}

/** A finger was down while the page was rendered anew: no click comes of that by itself. */
function finishPress(old: HTMLElement, now: (old: HTMLElement) => HTMLElement | undefined): void {
  const over = new AbortController();
  for (const type of ["pointerup", "pointercancel", "pointerdown"]) {
    const finish = ({ target }: Event) => {
      over.abort();
      const next = now(old);
      if (type === "pointerup" && next && controlOf(target) === next) next.click();
    };
    addEventListener(type, finish, { capture: true, signal: over.signal });
  }
}
