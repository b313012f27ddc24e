/** The strip of capiz panes at the head of a popup. */
export function PopupBand() {
  return (
    <div
      className="relative h-20 overflow-hidden border-b border-line bg-canvas"
      aria-hidden="true"
    >
      <div className="lattice lattice-fade absolute inset-0" />
    </div>
  );
}
