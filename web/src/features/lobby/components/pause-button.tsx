type PauseButtonProps = {
  paused: boolean;
  label: string;
  onToggle: () => void;
  className?: string;
};

/** Stops what moves by itself, and lets it go on. */
export function PauseButton({ paused, label, onToggle, className = "" }: PauseButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={paused}
      aria-label={label}
      title={label}
      onClick={onToggle}
      className={`grid size-11 shrink-0 place-items-center leaf ${className}`}
    >
      <svg viewBox="0 0 24 24" className="size-4 fill-current" aria-hidden="true">
        <path d={paused ? "M6 3v18l15-9z" : "M5 3h5v18H5zM14 3h5v18h-5z"} />
      </svg>
    </button>
  );
}
