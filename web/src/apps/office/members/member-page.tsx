import { useQuery } from "@tanstack/react-query";
import { type Key, useT } from "@/lib/i18n/i18n";
import { useAddress, useFileId } from "../address";
import { ListFault, PageSkeleton } from "../page-states";
import type { Right } from "../rights";
import { may, useMe } from "../session";
import { TabLinks } from "../tab-links";
import { type MemberFile, memberQuery } from "./api";
import { MemberHead } from "./member-head";
import { MemberTrail } from "./member-trail";
import { ProfileTab } from "./profile-tab";
import { RoundsTab } from "./rounds-tab";
import { SessionsTab } from "./sessions-tab";
import { WalletTab } from "./wallet-tab";

const tabs = [
  { id: "profile", label: "members.tab_profile", right: "members.read" },
  { id: "wallet", label: "members.tab_wallet", right: "wallet.read" },
  { id: "rounds", label: "members.tab_rounds", right: "rounds.read" },
  { id: "sessions", label: "members.tab_sessions", right: "members.read" },
  { id: "trail", label: "members.tab_trail", right: "trail.read" },
] as const satisfies readonly { id: string; label: Key; right: Right }[];

type TabId = (typeof tabs)[number]["id"];

/** One member: who it is, its money, its rounds, where it is logged in, what staff did. */
export default function MemberPage() {
  const id = useFileId();
  const { data, error, refetch } = useQuery(memberQuery(id));
  if (!data) {
    return error ? <ListFault error={error} onRetry={() => void refetch()} /> : <PageSkeleton />;
  }
  return (
    <>
      <MemberHead member={data} />
      <MemberTabs key={id} member={data} />
    </>
  );
}

function MemberTabs({ member }: { member: MemberFile }) {
  const t = useT();
  const me = useMe();
  const asked = useAddress()["tab"];
  const open = tabs.filter(({ right }) => may(me, right));
  const current: TabId = open.find(({ id }) => id === asked)?.id ?? "profile";
  return (
    <>
      <TabLinks
        label={t("members.tabs")}
        path={`/members/${member.id}`}
        tabs={open.map(({ id, label }) => ({ id, label: t(label) }))}
        current={current}
      />
      <TabOf id={current} member={member} />
    </>
  );
}

function TabOf({ id, member }: { id: TabId; member: MemberFile }) {
  switch (id) {
    case "wallet":
      return <WalletTab member={member} />;
    case "rounds":
      return <RoundsTab member={member} />;
    case "sessions":
      return <SessionsTab member={member} />;
    case "trail":
      return <MemberTrail member={member} />;
    default:
      return <ProfileTab member={member} />;
  }
}
