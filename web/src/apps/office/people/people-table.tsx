import { useQuery } from "@tanstack/react-query";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { OfficeLink, useAddress, useChangeSearch } from "../address";
import { type Person, peopleQuery, takePeople } from "../api";
import { timeText } from "../clock";
import { rolesText } from "../rights";
import { useMe } from "../session";
import { type Column, DataTable } from "../table/data-table";
import { inOrder } from "../table/order";
import { fits, queryOf, readFilter } from "./filter";

const byText = (text: (person: Person) => string) => (a: Person, b: Person) =>
  text(a).localeCompare(text(b));

function columnsOf(t: Translate): readonly Column<Person>[] {
  return [
    {
      id: "name",
      label: t("office.name"),
      isFixed: true,
      compare: byText(({ name }) => name),
      cell: (person) => <PersonLink person={person} />,
    },
    {
      id: "username",
      label: t("office.username"),
      compare: byText(({ username }) => username),
      cell: ({ username }) => <span data-name>{username}</span>,
    },
    {
      id: "roles",
      label: t("office.roles"),
      compare: byText(({ roles }) => roles.join()),
      cell: ({ roles }) => rolesText(roles, t),
    },
    {
      id: "state",
      label: t("office.state"),
      compare: (a, b) => Number(b.isActive) - Number(a.isActive),
      cell: ({ isActive }) => (
        <span className={isActive ? "text-win" : "text-live-text"}>
          {t(isActive ? "office.is_active" : "office.is_closed")}
        </span>
      ),
    },
    {
      id: "login",
      label: t("office.last_login"),
      compare: byText(({ lastLoginAt }) => lastLoginAt ?? ""),
      cell: ({ lastLoginAt }) => <span className="tabular-nums">{timeText(lastLoginAt)}</span>,
    },
    {
      id: "added",
      label: t("office.added_at"),
      isExtra: true,
      compare: byText(({ createdAt }) => createdAt),
      cell: ({ createdAt }) => <span className="tabular-nums">{timeText(createdAt)}</span>,
    },
  ];
}

function PersonLink({ person }: { person: Person }) {
  const t = useT();
  const isMe = useMe().id === person.id;
  const address = useAddress();
  return (
    <OfficeLink
      to="/staff"
      search={{ ...address, person: person.id }}
      className="row-link inline-flex min-h-11 min-w-11 items-center gap-2 font-semibold underline-offset-4 hover:underline"
    >
      <span data-name>{person.name}</span>
      {isMe && <span className="text-sm font-normal text-muted">{t("office.yourself")}</span>}
    </OfficeLink>
  );
}

/** The whole list comes at once: it is searched and put into order here. */
export function PeopleTable() {
  const t = useT();
  const change = useChangeSearch();
  const address = useAddress();
  const { data, error, refetch } = useQuery(peopleQuery);
  const columns = columnsOf(t);
  const order = address["order"] ?? "name";
  const found = data?.filter((person) => fits(person, readFilter(address)));
  return (
    <DataTable
      name="people"
      label={t("office.people")}
      columns={columns}
      rows={found && inOrder(found, columns, order)}
      keyOf={({ id }) => id}
      empty={t("office.people_none")}
      error={error}
      onRetry={() => void refetch()}
      order={order}
      onOrder={(next) => change({ order: next })}
      csv={() => takePeople(queryOf(readFilter(address)))}
      note={found && data && t("office.people_found", found.length, data.length)}
    />
  );
}
