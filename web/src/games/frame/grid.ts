/** Arrow keys move the focus between the buttons of a board: one stop for the tab key, not forty. */
export function moveInGrid(buttons: readonly HTMLButtonElement[], columns: number): void {
  const stop = (at: number): void =>
    buttons.forEach((button, i) => {
      button.tabIndex = i === at ? 0 : -1;
    });
  stop(0);
  buttons.forEach((button, at) => {
    button.addEventListener("focus", () => stop(at));
    button.addEventListener("keydown", (event) => {
      const next = neighbour(at, event.key, columns, buttons.length);
      if (next === null) return;
      event.preventDefault();
      buttons[next]?.focus();
    });
  });
}

/** The place beside another in a grid; null for other keys and beyond the edge. */
export function neighbour(at: number, key: string, columns: number, count: number): number | null {
  const column = at % columns;
  const next = {
    ArrowRight: column < columns - 1 ? at + 1 : null,
    ArrowLeft: column > 0 ? at - 1 : null,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    Home: at - column,
    End: at - column + columns - 1,
  }[key];
  return next === undefined || next === null || next < 0 || next >= count ? null : next;
}
