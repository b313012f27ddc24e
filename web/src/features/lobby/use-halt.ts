import { type FocusEvent, type PointerEvent, useState } from "react";

/** Whoever points at something that moves, or has the focus in it, has it stand still meanwhile. */
export function useHalt() {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const handlers = {
    onPointerEnter: (event: PointerEvent) => setPointed(event.pointerType === "mouse"),
    onPointerLeave: () => setPointed(false),
    // The focus that a press leaves behind is no reason to stand still for ever.
    onFocus: (event: FocusEvent) => setFocused(event.target.matches(":focus-visible")),
    onBlur: () => setFocused(false),
  };
  return { halted: pointed || focused, handlers };
}
