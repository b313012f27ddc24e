import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { type Role, rolesQuery } from "../api";
import { PageHead, Panel } from "../panel";
import { allRights, rightText, roleText } from "../rights";
import { useMay, useMe } from "../session";
import { type Column, DataTable } from "../table/data-table";
import { RoleDialog } from "./role-dialog";

/** What each role may do. */
export default function RolesPage() {
  const t = useT();
  const [chosen, setChosen] = useState<Role | null>(null);
  const { data: roles, error, refetch } = useQuery(rolesQuery);
  return (
    <>
      <PageHead title={t("office.roles")} />
      <div className="grid gap-4">
        {roles && (
          <Panel title={t("office.roles_change")}>
            <ul className="grid sm:grid-cols-2 sm:gap-x-8 2xl:grid-cols-3">
              {roles.map((role) => (
                <RoleRow key={role.name} role={role} onChange={() => setChosen(role)} />
              ))}
            </ul>
          </Panel>
        )}
        <DataTable
          // With the roles it comes anew, below the panel that comes with them, instead of moving down.
          key={roles ? "there" : "coming"}
          name="roles"
          label={t("office.roles_matrix")}
          columns={columnsOf(roles ?? [], t)}
          rows={roles && allRights(roles)}
          keyOf={(right) => right}
          isDense
          empty={t("office.roles_none")}
          error={error}
          onRetry={() => void refetch()}
          note={t("office.roles_text")}
        />
      </div>
      {chosen && <RoleDialog role={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function columnsOf(roles: readonly Role[], t: Translate): readonly Column<string>[] {
  return [
    {
      id: "right",
      label: t("office.right"),
      isFixed: true,
      cell: (right) => (
        <span className="grid py-1.5 font-normal">
          {rightText(right, t)}
          <code className="font-mono text-xs text-muted">{right}</code>
        </span>
      ),
    },
    ...roles.map((role): Column<string> => ({
      id: role.name,
      label: roleText(role.name, t),
      cell: (right) => <Mark has={role.hasAll || role.rights.includes(right)} />,
    })),
  ];
}

function Mark({ has }: { has: boolean }) {
  const t = useT();
  return (
    <span className={has ? "text-win" : "text-muted"}>
      {has ? <Icon name="check" /> : <span aria-hidden="true">{"–"}</span>}
      <span className="sr-only">{t(has ? "office.yes" : "office.no")}</span>
    </span>
  );
}

function RoleRow({ role, onChange }: { role: Role; onChange: () => void }) {
  const t = useT();
  const isMine = useMe().roles.includes(role.name);
  const mayWrite = useMay("roles.write");
  const isLocked = role.hasAll || (mayWrite && isMine);
  return (
    <li className="flex min-h-14 items-center gap-3 border-b border-line py-1">
      <div className="grow">
        <p className="font-semibold">{roleText(role.name, t)}</p>
        <p className="text-sm text-muted">
          {role.hasAll
            ? t("office.role_locked")
            : isLocked
              ? t("office.role_own")
              : t("office.role_rights", role.rights.length)}
        </p>
      </div>
      {isLocked && <Icon name="lock" className="size-5 shrink-0 text-muted" />}
      {!isLocked && mayWrite && (
        <Button
          size="sm"
          onClick={onChange}
          aria-label={t("office.role_change", roleText(role.name, t))}
        >
          {t("office.change")}
        </Button>
      )}
    </li>
  );
}
