type Child = Node | string | null;
type Attributes = Readonly<Record<string, string>>;

/** An element with its attributes and what is in it. */
export function el(tag: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A button with what it does. */
export function button(
  text: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLElement {
  const element = el("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", onClick);
  return element;
}

/** A part that is folded away. */
export function fold(label: string, ...children: Child[]): HTMLElement {
  return el("details", {}, el("summary", {}, label), ...children);
}
