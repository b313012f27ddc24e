import { type Key, useLanguageTag, useT } from "@/lib/i18n/i18n";
import { type Line, difference } from "./difference";
import { fieldText, valueText } from "./fields";

type DifferenceViewProps = {
  before: string | null | undefined;
  after: string | null | undefined;
};

const kinds: Readonly<Record<Line["kind"], Key>> = {
  same: "office.diff_same",
  changed: "office.diff_changed",
  added: "office.diff_added",
  removed: "office.diff_removed",
};

const looks: Readonly<Record<Line["kind"], string>> = {
  same: "text-muted",
  changed: "text-accent-text",
  added: "text-win",
  removed: "text-live-text",
};

/** How it was and how it is since, line by line. The word says it, the colour only repeats it. */
export default function DifferenceView({ before, after }: DifferenceViewProps) {
  const t = useT();
  const lines = difference(before, after);
  if (lines.length === 0) return <p className="text-muted">{t("office.diff_none")}</p>;
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{t("office.diff")}</h3>
      <ul className="border-t border-line">
        {lines.map((line, index) => (
          <li
            key={index}
            className="grid grid-cols-[6.5rem_1fr] gap-x-3 border-b border-line py-1.5 text-sm"
          >
            <span className={looks[line.kind]}>{t(kinds[line.kind])}</span>
            <DifferenceText line={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function DifferenceText({ line: { path, kind, ...values } }: { line: Line }) {
  const t = useT();
  const tag = useLanguageTag();
  const [was, is] = [values.was, values.is].map(
    (value) => value !== null && valueText(path, value, t, tag),
  );
  return (
    <span data-name className="min-w-0 wrap-anywhere">
      {path && <span className="text-muted">{`${fieldText(path, t)}: `}</span>}
      {kind === "changed" ? (
        <>
          <del>{was}</del> <span aria-hidden="true">{"→"}</span>{" "}
          <ins className="no-underline">{is}</ins>
        </>
      ) : kind === "removed" ? (
        <del>{was}</del>
      ) : (
        is
      )}
    </span>
  );
}
