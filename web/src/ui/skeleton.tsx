/** A pane that shimmers in the place of something that is still loading. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <span aria-hidden="true" className={`skeleton block rounded-xs ${className}`} />;
}
