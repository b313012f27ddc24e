import { useT } from "@/lib/i18n/i18n";
import { timeText } from "../clock";
import { Fact, Facts, PageHead, Panel } from "../panel";
import { rightText, rolesText } from "../rights";
import { useMe } from "../session";
import { InboxPanel } from "./inbox-panel";
import { PasswordPanel } from "./password-panel";
import { RequestsPanel } from "./requests-panel";
import { SessionsPanel } from "./sessions-panel";

/** One's own desk: what waits, who one is here, what one may do, where one is logged in. */
export default function DeskPage() {
  const t = useT();
  const me = useMe();
  return (
    <>
      <PageHead title={t("office.desk")} />
      {me.mustChangePassword && (
        <p role="status" className="leaf mb-4 border border-line-strong p-3 text-sm">
          {t("office.password_first")}
        </p>
      )}
      <div className="grid gap-4 xl:grid-cols-2">
        {me.mustChangePassword && <PasswordPanel />}
        <RequestsPanel />
        <InboxPanel />
        <Panel title={t("office.who")}>
          <Facts>
            <Fact label={t("office.name")}>
              <span data-name>{me.name}</span>
            </Fact>
            <Fact label={t("office.username")}>
              <span data-name>{me.username}</span>
            </Fact>
            <Fact label={t("office.roles")}>{rolesText(me.roles, t)}</Fact>
            <Fact label={t("office.last_login")}>
              {me.lastLoginAt ? timeText(me.lastLoginAt) : t("office.first_login")}
            </Fact>
          </Facts>
          <p className="text-sm text-muted">{t("office.last_login_text")}</p>
        </Panel>
        <Panel title={t("office.may")}>
          {me.rights.length === 0 && (
            <p className="text-muted">
              {t(me.mustChangePassword ? "office.may_later" : "office.may_nothing")}
            </p>
          )}
          {/* Each name on a line of its own: whether it fits beside the words depends on a font that comes later. */}
          <ul className="grid gap-1.5">
            {me.rights.map((right) => (
              <li key={right} className="grid">
                {rightText(right, t)}
                <code className="font-mono text-xs text-muted">{right}</code>
              </li>
            ))}
          </ul>
        </Panel>
        {!me.mustChangePassword && <PasswordPanel />}
        {/* Nobody knows beforehand how many there are, so nothing stands below them. */}
        <SessionsPanel />
      </div>
    </>
  );
}
