import { Link } from "@tanstack/react-router";
import type { MemberInfo } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { askConfirm } from "@/lib/popup/popup";
import { clockText } from "@/lib/time";
import { useLeave } from "@/features/auth/enter";
import { openRegister } from "@/features/auth/popups";
import { Button, buttonClass } from "@/ui/button";
import { Icon } from "@/ui/icon";

const menuId = "account-menu";

/** The member's name with a menu: who is logged in, since when, and the way out. */
export function AccountMenu({ member }: { member: MemberInfo }) {
  const t = useT();
  return (
    <>
      <button
        type="button"
        popoverTarget={menuId}
        aria-label={t("account.menu", member.account)}
        className="leaf flex min-h-11 min-w-11 items-center justify-center gap-2 border border-line bg-surface px-3 hover:border-line-strong"
      >
        <Icon name="user" />
        <span className="max-w-32 truncate font-semibold max-sm:hidden">{member.account}</span>
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
  const signOut = async () => {
    close();
    const sure = await askConfirm({
      title: "logout.title",
      text: "logout.text",
      action: "logout.action",
    });
    if (sure) await leave();
  };
  return (
    <div className="grid gap-4 p-4">
      <div>
        <p className="truncate font-semibold">{member.account}</p>
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
      <Link to="/securityCenter" onClick={close} className={buttonClass()}>
        <Icon name="shield" />
        {t("nav.security")}
      </Link>
      <Link to="/transactionHistory" onClick={close} className={buttonClass()}>
        <Icon name="list" />
        {t("nav.record")}
      </Link>
      <Button onClick={() => void signOut()}>
        <Icon name="logOut" />
        {t("logout.action")}
      </Button>
    </div>
  );
}
