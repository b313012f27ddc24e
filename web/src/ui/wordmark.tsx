/** The house's mark: four panes, one of them lit, and the name in wide letters. */
export function Wordmark({ name, nameClass = "" }: { name: string; nameClass?: string }) {
  return (
    <span className="flex items-center gap-2.5">
      <svg viewBox="0 0 24 24" className="size-6" aria-hidden="true">
        <path d="M1 1h10v10H1zM13 13h10v10H13zM1 13h10v10H1z" className="fill-shell" />
        <path d="M13 1h6a4 4 0 0 1 4 4v6H13z" className="fill-accent" />
      </svg>
      <span className={`display text-[1.35rem] uppercase ${nameClass}`}>{name}</span>
    </span>
  );
}
