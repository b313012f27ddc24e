import { useQuery } from "@tanstack/react-query";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { useAddress } from "../address";
import { timeText } from "../clock";
import type { Column } from "../table/data-table";
import { ApplicationDialog } from "./application-dialog";
import { type Application, affiliatesQuery } from "./api";
import { queryOf } from "./filter";
import { InboxList } from "./inbox-list";
import { ItemLink, StateWord } from "./parts";
import { applicationStates } from "./words";

/** Who wants to become an affiliate; it changes by itself. */
export default function AffiliatesPage() {
  const t = useT();
  const rows = useQuery(affiliatesQuery(queryOf(useAddress(), applicationStates)));
  return (
    <InboxList
      path="/affiliates"
      title="office.affiliates"
      states={applicationStates}
      columns={columnsOf(t)}
      rows={rows}
    >
      {(application, close) => (
        <ApplicationDialog key={application.id} application={application} onClose={close} />
      )}
    </InboxList>
  );
}

function columnsOf(t: Translate): readonly Column<Application>[] {
  return [
    {
      id: "name",
      label: t("letters.applicant"),
      isFixed: true,
      cell: ({ id, name }) => <ItemLink path="/affiliates" id={id} text={name} />,
    },
    {
      id: "audience",
      label: t("letters.audience"),
      cell: ({ audience }) => (
        <span data-name className="line-clamp-2">
          {audience}
        </span>
      ),
    },
    {
      id: "at",
      label: t("letters.written_at"),
      cell: ({ createdAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(createdAt)}</span>
      ),
    },
    { id: "state", label: t("letters.state"), cell: ({ status }) => <StateWord state={status} /> },
    {
      id: "who",
      label: t("office.member"),
      isExtra: true,
      cell: ({ account }) => (account ? <span data-name>{account}</span> : t("letters.visitor")),
    },
    {
      id: "site",
      label: t("letters.site"),
      isExtra: true,
      cell: ({ merchant }) => <span data-name>{merchant}</span>,
    },
  ];
}
