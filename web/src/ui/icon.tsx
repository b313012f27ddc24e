import { iconPaths } from "./icon-paths";

export type IconName = keyof typeof iconPaths;

/** A decorative icon: the control around it carries the name. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return <Lines d={iconPaths[name]} className={className} />;
}

/** What is drawn with one pen on a field of 24 by 24. */
export function Lines({ d, className = "size-5" }: { d: string; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  );
}
