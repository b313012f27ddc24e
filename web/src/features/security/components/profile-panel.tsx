import { Suspense, lazy, useState } from "react";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { shownName } from "@/lib/shown-name";
import { clockText } from "@/lib/time";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import type { Account } from "../api";
import { MemberIcon } from "./member-icon";
import { Panel, Row } from "./panel";

const NicknameForm = lazy(() => loadPart(() => import("./nickname-form")));
const BirthdayForm = lazy(() => loadPart(() => import("./birthday-form")));

/** Who the member is. */
export function ProfilePanel({ account }: { account: Account }) {
  const t = useT();
  const [editing, edit] = useState<"nickname" | "birthday" | null>(null);
  const [edited, setEdited] = useState<typeof editing>(null);
  const done = () => {
    setEdited(editing);
    edit(null);
  };
  const time = (at: string) => clockText(new Date(at), getBoot().merchant.timeZone);
  return (
    <Panel title={t("security.profile")}>
      <div className="flex items-center gap-4">
        <button
          type="button"
          aria-label={t("security.icon_change")}
          onClick={() => openPopup("icon", { current: account.icon })}
          className="leaf grid size-18 shrink-0 place-items-center border border-line hover:border-line-strong"
        >
          <MemberIcon name={account.icon} className="size-12" />
        </button>
        <div className="min-w-0">
          <p className="truncate text-lg font-semibold" data-name>
            {shownName(account.account)}
          </p>
          <p className="text-sm text-muted">
            {account.lastLoginAt
              ? t("security.last_login", time(account.lastLoginAt))
              : t("security.first_login")}
          </p>
        </div>
      </div>
      <div>
        {editing === "nickname" ? (
          <Suspense fallback={<Skeleton className="h-32" />}>
            <NicknameForm nickname={account.nickname} onDone={done} />
          </Suspense>
        ) : (
          <Row
            label={t("field.nickname")}
            value={<Data text={account.nickname} />}
            isBack={edited === "nickname"}
          >
            <Button size="sm" onClick={() => edit("nickname")}>
              {t("security.change_nickname")}
            </Button>
          </Row>
        )}
        {account.payeeName && (
          <Row label={t("field.payee_name")} value={<Data text={account.payeeName} />} />
        )}
        {editing === "birthday" ? (
          <Suspense fallback={<Skeleton className="h-32" />}>
            <BirthdayForm onDone={done} />
          </Suspense>
        ) : (
          <Row
            label={t("field.birthday")}
            value={t(account.hasBirthday ? "security.birthday_set" : "security.not_set")}
            isBack={edited === "birthday"}
          >
            {!account.hasBirthday && (
              <Button size="sm" onClick={() => edit("birthday")}>
                {t("security.set_birthday")}
              </Button>
            )}
          </Row>
        )}
        <Row label={t("security.member_since")} value={time(account.registeredAt).slice(0, 10)} />
      </div>
    </Panel>
  );
}

/** What the member typed: it is no text of ours. */
function Data({ text }: { text: string }) {
  return <span data-name>{text}</span>;
}
