import type { Theme } from "../protocol";

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A DOM element with attributes and children; text stays text, so nothing is parsed as HTML. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children);
  return node;
}

/** True when the player asked the system for less motion. */
export function prefersStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The frame's CSS takes its colours from this attribute, as the page does. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}
