type Keys = Readonly<Record<string, () => void>>;

/** What a key does at the table: Space and Enter play, unless they belong to the control that has the focus. */
export function keyAction(
  { key, target, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent,
  own: Keys,
  press: () => void,
): (() => void) | null {
  if (repeat || ctrlKey || metaKey || altKey) return null;
  if (document.querySelector("dialog[open]")) return null;
  const isInput = target instanceof HTMLInputElement;
  if (key === " " || key === "Enter") {
    const isRange = isInput && target.type === "range";
    const isFocused = target instanceof Element && target.closest("button, input, a") !== null;
    return isFocused && !isRange ? null : press;
  }
  return isInput ? null : (own[key] ?? null);
}
