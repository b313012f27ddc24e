import { isMemberIcon, memberIcons } from "../icons";

/** The member's picture; the control around it carries the name. */
export function MemberIcon({
  name,
  className = "",
}: {
  name: string | undefined;
  className?: string;
}) {
  return (
    <svg
      viewBox="0 0 48 48"
      className={`stroke-shell ${className}`}
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={memberIcons[isMemberIcon(name) ? name : "capiz"]} />
    </svg>
  );
}
