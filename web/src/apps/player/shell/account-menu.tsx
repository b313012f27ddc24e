import { Link } from "@tanstack/react-router";
import type { MemberInfo } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { type Popups, openPopup } from "@/lib/popup/popup";
import { shownName } from "@/lib/shown-name";
import { clockText } from "@/lib/time";
import { useLeave } from "@/features/auth/leave";
import { openRegister } from "@/features/auth/popups";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { Outline, type OutlineName } from "./outline";

const menuId = "account-menu";

const entries = [
  { to: "/securityCenter", label: "nav.security", icon: "person" },
  { to: "/verify", label: "shell.bets", icon: "ticket" },
  { to: "/transactionHistory", label: "nav.record", icon: "rows" },
] as const satisfies readonly { to: string; label: Key; icon: OutlineName }[];
const agentEntry = { to: "/agentHome", label: "shell.agent_center", icon: "team" } as const;

/** Where the menu leads; the agent center is for agents only. */
export function entriesFor({ isAgent }: Pick<MemberInfo, "isAgent">) {
  return isAgent ? [agentEntry, ...entries] : entries;
}

/** The member's name with a menu: who is logged in, since when, and the way out. */
export function AccountMenu({ member }: { member: MemberInfo }) {
  const t = useT();
  return (
    <>
      <button
        type="button"
        popoverTarget={menuId}
        aria-label={t("account.menu", shownName(member.account))}
        className="leaf flex min-h-11 min-w-11 items-center justify-center gap-2 border border-line bg-surface px-3 hover:border-line-strong"
      >
        <Icon name="user" />
        <span className="max-w-32 truncate font-semibold max-sm:hidden">
          {shownName(member.account)}
        </span>
        <Icon name="down" className="size-4 text-muted max-sm:hidden" />
      </button>
      <div id={menuId} popover="auto" className="menu top-17 right-4 w-72">
        <AccountPanel member={member} />
      </div>
    </>
  );
}

function AccountPanel({ member }: { member: MemberInfo }) {
  const t = useT();
  const leave = useLeave();
  const close = () => document.getElementById(menuId)?.hidePopover();
  const leadTo = (props: Popups["cashier"]) => {
    close();
    openPopup("cashier", props);
  };
  const signOut = () => {
    close();
    void leave();
  };
  return (
    <div className="grid gap-4 p-4">
      <div>
        <p className="truncate font-semibold">{shownName(member.account)}</p>
        <p className="text-sm text-muted">
          {member.isTrial
            ? t("account.trial")
            : t(
                "account.since",
                clockText(new Date(member.registeredAt), getBoot().merchant.timeZone).slice(0, 10),
              )}
        </p>
      </div>
      {member.isTrial && (
        <Button
          variant="main"
          onClick={() => {
            close();
            openRegister();
          }}
        >
          {t("header.join")}
        </Button>
      )}
      <div className="grid grid-cols-2 gap-2 lg:hidden">
        <Button size="sm" onClick={() => leadTo({ what: "deposit" })}>
          {t("shell.deposit")}
        </Button>
        <Button size="sm" onClick={() => leadTo({ what: "withdraw" })}>
          {t("shell.withdraw")}
        </Button>
      </div>
      <ul className="grid border-y border-line">
        {entriesFor(member).map(({ to, label, icon }) => (
          <li key={label} className="border-line not-last:border-b">
            <Link
              to={to}
              onClick={close}
              className="flex min-h-12 items-center gap-3 underline-offset-4 hover:underline"
            >
              <Outline name={icon} className="size-5 text-muted" />
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
      <Button onClick={signOut}>
        <Icon name="logOut" />
        {t("logout.action")}
      </Button>
    </div>
  );
}
