import { useT } from "@/lib/i18n/i18n";
import { OfficeLink, type OfficePath, useAddress, useChangeSearch } from "../address";
import { SelectField } from "../select-field";
import { useMay } from "../session";
import { stateOf } from "./filter";
import { stateText } from "./words";

/** Which rows are shown, by what became of them. */
export function StateFilter({ states }: { states: readonly string[] }) {
  const t = useT();
  const change = useChangeSearch();
  const status = stateOf(useAddress(), states) ?? "all";
  return (
    <search className="grid max-w-xs pb-2">
      <SelectField
        label={t("letters.state")}
        value={status}
        // Other rows have other pages.
        onChange={(value) =>
          change({ status: value === states[0] ? undefined : value, before: undefined })
        }
        options={[
          ...states.map((value) => ({ value, label: stateText(value, t) })),
          { value: "all", label: t("letters.all") },
        ]}
      />
    </search>
  );
}

const looks: Readonly<Record<string, string>> = {
  OPEN: "text-accent-text",
  ANSWERED: "text-win",
  ACCEPTED: "text-win",
  REFUSED: "text-live-text",
};

export function StateWord({ state }: { state: string }) {
  const t = useT();
  return <span className={looks[state] ?? "text-muted"}>{stateText(state, t)}</span>;
}

/** Opens one of the list; which one stands in the address. */
export function ItemLink({ path, id, text }: { path: OfficePath; id: string; text: string }) {
  return (
    <OfficeLink
      to={path}
      search={{ ...useAddress(), item: id }}
      className="row-link inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
    >
      <span data-name className="line-clamp-2">
        {text}
      </span>
    </OfficeLink>
  );
}

type WriterProps = { memberId: string | null; account: string | null };

/** Who wrote: a member, whom one may look at, or a visitor. */
export function Writer({ memberId, account }: WriterProps) {
  const t = useT();
  const mayLook = useMay("members.read");
  if (!memberId || !account) return t("letters.visitor");
  if (!mayLook) return <span data-name>{account}</span>;
  return (
    <OfficeLink
      to={`/members/${memberId}`}
      className="inline-flex min-h-11 items-center underline underline-offset-4"
    >
      <span data-name>{account}</span>
    </OfficeLink>
  );
}
