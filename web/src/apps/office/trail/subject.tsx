import { useT } from "@/lib/i18n/i18n";
import { OfficeLink } from "../address";
import { may, useMe } from "../session";
import { subjectText } from "./subject-text";
import type { NameOf } from "./names";
import { placeOf } from "./places";

type SubjectProps = { subject: string; nameOf: NameOf; onLeave?: () => void };

/** What a row is about, by its name, and the way to it for those who may look there. */
export function Subject({ subject, nameOf, onLeave }: SubjectProps) {
  const t = useT();
  const me = useMe();
  const place = placeOf(subject);
  const text = (
    <span data-name className="min-w-0 wrap-anywhere">
      {subjectText(subject, nameOf, t)}
    </span>
  );
  if (!place || !may(me, place.right)) return text;
  return (
    <OfficeLink
      to={place.to}
      {...(place.search && { search: place.search })}
      {...(onLeave && { onClick: onLeave })}
      // In a row that can be pressed as a whole it lies above.
      className="relative z-1 inline-flex min-h-11 items-center underline underline-offset-4"
    >
      {text}
    </OfficeLink>
  );
}
