import type { ReactNode } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { OfficeLink } from "../address";
import { timeText } from "../clock";
import { Fact, Facts, Panel } from "../panel";
import type { MemberFile } from "./api";
import { kindText, stateText } from "./texts";

/** Everything that staff may see of a person. */
export function ProfileTab({ member }: { member: MemberFile }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid gap-4">
        <ContactPanel member={member} />
        <AccountPanel member={member} />
      </div>
      <div className="grid gap-4">
        <PersonPanel member={member} />
        <SafetyPanel member={member} />
      </div>
    </div>
  );
}

/** What the member wrote; a dash for nothing. */
function Told({ children }: { children: ReactNode }) {
  return <span data-name>{children ?? "–"}</span>;
}

const yesNo = (is: boolean, t: Translate) => t(is ? "office.yes" : "office.no");

function AccountPanel({ member }: { member: MemberFile }) {
  const t = useT();
  return (
    <Panel title={t("members.account")}>
      <Facts>
        <Fact label={t("members.username")}>
          <Told>{member.account}</Told>
        </Fact>
        <Fact label={t("members.nickname")}>
          <Told>{member.nickname}</Told>
        </Fact>
        <Fact label={t("members.kind")}>{kindText(member.type, t)}</Fact>
        <Fact label={t("members.state")}>{stateText(member.state, t)}</Fact>
        <Fact label={t("members.merchant")}>
          <Told>{`${member.merchantName} (${member.merchant})`}</Told>
        </Fact>
        <Fact label={t("members.currency")}>
          <Told>{member.currency}</Told>
        </Fact>
        <Fact label={t("members.registered")}>{timeText(member.registeredAt)}</Fact>
        <Fact label={t("members.registered_on")}>
          <Told>{member.domain}</Told>
        </Fact>
        <Fact label={t("members.registered_page")}>
          <Told>{member.registerUrl}</Told>
        </Fact>
        <Fact label={t("members.registered_by")}>
          <Told>{member.registerMethod}</Told>
        </Fact>
        <Fact label={t("members.code")}>
          <Told>{member.affiliateCode}</Told>
        </Fact>
        <Fact label={t("members.upline")}>
          <Relative of={member.upline} />
        </Fact>
        <Fact label={t("members.recommender")}>
          <Relative of={member.recommender} />
        </Fact>
      </Facts>
    </Panel>
  );
}

function Relative({ of }: { of: MemberFile["upline"] }) {
  if (!of) return "–";
  return (
    <OfficeLink
      to={`/members/${of.id}`}
      data-name
      className="inline-flex min-h-11 min-w-11 items-center underline underline-offset-4"
    >
      {of.account}
    </OfficeLink>
  );
}

function ContactPanel({ member }: { member: MemberFile }) {
  const t = useT();
  return (
    <Panel title={t("members.contacts")}>
      <Facts>
        <Fact label={t("members.mobile")}>
          <Verified text={member.mobile} at={member.mobileVerifiedAt} />
        </Fact>
        <Fact label={t("members.email")}>
          <Verified text={member.email} at={member.emailVerifiedAt} />
        </Fact>
        {member.otherContacts.map(({ kind, value }) => (
          <Fact key={kind} label={kind}>
            <Told>{value}</Told>
          </Fact>
        ))}
        <Fact label={t("members.address")}>
          <Told>{member.address}</Told>
        </Fact>
      </Facts>
    </Panel>
  );
}

type VerifiedProps = { text: string | null | undefined; at: string | null | undefined };

function Verified({ text, at }: VerifiedProps) {
  const t = useT();
  if (!text) return "–";
  return (
    <>
      <Told>{text}</Told>
      <span className={`block text-sm ${at ? "text-win" : "text-muted"}`}>
        {at ? t("members.verified_at", timeText(at)) : t("members.unverified")}
      </span>
    </>
  );
}

function PersonPanel({ member }: { member: MemberFile }) {
  const t = useT();
  return (
    <Panel title={t("members.person")}>
      <Facts>
        <Fact label={t("members.real_name")}>
          <Told>{member.payeeName}</Told>
        </Fact>
        <Fact label={t("members.birthday")}>
          {member.birthday?.split("-").toReversed().join("/") ?? "–"}
        </Fact>
        <Fact label={t("members.id_number")}>
          {t(member.hasIdNumber ? "members.id_number_given" : "members.id_number_none")}
        </Fact>
        <Fact label={t("members.nationality")}>
          <Told>{member.nationality}</Told>
        </Fact>
        <Fact label={t("members.occupation")}>
          <Told>{member.occupation}</Told>
        </Fact>
        <Fact label={t("members.income")}>
          <Told>{member.sourceOfIncome}</Told>
        </Fact>
      </Facts>
    </Panel>
  );
}

function SafetyPanel({ member }: { member: MemberFile }) {
  const t = useT();
  return (
    <Panel title={t("members.safety")}>
      <Facts>
        <Fact label={t("members.password_set")}>
          {member.hasPassword ? timeText(member.passwordChangedAt) : t("members.password_none")}
        </Fact>
        <Fact label={t("members.password_asked")}>{yesNo(member.mustChangePassword, t)}</Fact>
        <Fact label={t("members.payment_password")}>{yesNo(member.hasPaymentPassword, t)}</Fact>
        <Fact label={t("members.two_factor")}>
          {t(member.twoFactor ? "members.on" : "members.off")}
        </Fact>
        <Fact label={t("members.social")}>
          {member.identities.length === 0
            ? "–"
            : member.identities.map(({ provider, linkedAt }) => (
                <span key={`${provider}${linkedAt}`} className="block">
                  {t(
                    provider === "oidc" ? "members.social_oidc" : "members.social_oauth",
                    timeText(linkedAt),
                  )}
                </span>
              ))}
        </Fact>
        <Fact label={t("office.last_login")}>{timeText(member.lastLoginAt)}</Fact>
      </Facts>
    </Panel>
  );
}
