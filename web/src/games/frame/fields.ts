import { el } from "./dom";

type Option<T> = { value: T; label: string };

export type Segments<T> = { view: HTMLElement; show: (value: T) => void };

let fields = 0;

/** A few choices side by side, of which one is taken. */
export function segments<T extends string | number>(
  label: string,
  options: readonly Option<T>[],
  onPick: (value: T) => void,
): Segments<T> {
  const buttons = options.map(({ value, label: name }) => {
    const button = el("button", { type: "button", class: "side" }, name);
    button.addEventListener("click", () => onPick(value));
    return button;
  });
  const view = el(
    "div",
    { class: "field", role: "group", "aria-label": label },
    el("span", { class: "label", "aria-hidden": "true" }, label),
    el("div", { class: "sides" }, ...buttons),
  );
  const show = (value: T): void => {
    options.forEach((option, i) =>
      buttons[i]?.setAttribute("aria-pressed", String(option.value === value)),
    );
  };
  return { view, show };
}

/** A range with its number beside it. */
export function slider(
  label: string,
  bounds: { min: number; max: number; step?: number },
  onChange: (value: number) => void,
): Segments<number> {
  fields += 1;
  const id = `field-${fields}`;
  const input = el("input", { id, type: "range", ...bounds });
  const number = el("output", { for: id, class: "number" });
  input.addEventListener("input", () => onChange(Number(input.value)));
  const view = el(
    "div",
    { class: "field" },
    el("div", { class: "row" }, el("label", { for: id }, label), number),
    input,
  );
  const show = (value: number): void => {
    input.value = String(value);
    number.textContent = String(value);
  };
  return { view, show };
}

/** A field for a number in words of its own, with buttons for the usual ones. */
export function numberField<T extends number>(
  label: string,
  rules: { parse: (text: string) => T | null; text: (value: T) => string },
  quick: readonly Option<T>[],
  onChange: (value: T) => void,
): Segments<T> & { input: HTMLInputElement } {
  fields += 1;
  const id = `field-${fields}`;
  const input = el("input", {
    id,
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: 12,
  });
  let last: T | null = null;
  const show = (value: T): void => {
    last = value;
    input.value = rules.text(value);
  };
  const take = (): void => {
    const value = rules.parse(input.value) ?? last;
    if (value !== null) onChange(value);
  };
  input.addEventListener("change", take);
  // The table plays on Enter: what was typed counts.
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") take();
  });
  const buttons = quick.map(({ value, label: name }) => {
    const button = el("button", { type: "button", class: "step" }, name);
    button.addEventListener("click", () => onChange(value));
    return button;
  });
  const view = el(
    "div",
    { class: "field" },
    el("label", { for: id }, label),
    el("div", { class: "stake" }, input, el("div", { class: "steps" }, ...buttons)),
  );
  return { view, show, input };
}
