import { useT } from "@/lib/i18n/i18n";
import { shortNumber } from "@/lib/short";
import { CopyText } from "@/ui/copy-text";
import { Icon } from "@/ui/icon";
import { OfficeLink } from "../address";
import { timeText } from "../clock";
import type { MemberFile } from "./api";
import { MemberActions } from "./member-actions";
import { kindText, stateLook, stateText } from "./texts";

/** Who it is, in which state the account is and why, and what can be done. */
export function MemberHead({ member }: { member: MemberFile }) {
  const t = useT();
  return (
    <header className="grid gap-3 pb-4">
      <OfficeLink
        to="/members"
        className="inline-flex min-h-11 items-center gap-2 justify-self-start text-sm text-muted hover:text-ink"
      >
        <Icon name="right" className="size-4 rotate-180" />
        {t("members.to_list")}
      </OfficeLink>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 grow">
          <h1 className="display text-2xl wrap-anywhere">
            <span data-name>{member.account}</span>
          </h1>
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
            <span className={stateLook(member.state)}>{stateText(member.state, t)}</span>
            <span>{kindText(member.type, t)}</span>
            <span data-name>{member.merchantName}</span>
            <CopyText label={t("members.id")} value={member.id} short={shortNumber(member.id)} />
          </p>
        </div>
        <MemberActions member={member} />
      </div>
      <Notices member={member} />
    </header>
  );
}

function Notices({ member }: { member: MemberFile }) {
  const t = useT();
  const notices = [
    member.state === "frozen" && t("members.frozen_note"),
    member.state === "closed" && t("members.closed_note"),
    member.mustChangePassword && t("members.must_change_note"),
    member.toCompleteSince && t("members.to_complete_note"),
    member.paymentLockedUntil &&
      t("members.payment_locked_note", timeText(member.paymentLockedUntil)),
  ].filter((note) => typeof note === "string");
  if (notices.length === 0) return null;
  return (
    <div className="leaf grid gap-1 border border-line-strong p-3 text-sm">
      {notices.map((note) => (
        <p key={note} className="flex items-start gap-2">
          <Icon name="alert" className="mt-0.5 size-4 shrink-0 text-live-text" />
          {note}
        </p>
      ))}
      {member.state !== "active" && (
        <p className="pl-6 text-muted">
          {t("members.state_by", member.stateBy ?? "–", timeText(member.stateAt))}{" "}
          <span data-name className="text-ink">
            {member.stateReason}
          </span>
        </p>
      )}
    </div>
  );
}
