import { openComplete, openLogin, openRegister } from "@/features/auth/popups";
import { useSession } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import type { Account } from "../api";
import { DevicesPanel } from "../components/devices-panel";
import { LoginsPanel } from "../components/logins-panel";
import { LostContacts } from "../components/lost-contacts";
import { ProfilePanel } from "../components/profile-panel";
import { SafetyPanel } from "../components/safety-panel";

/** The security center: who the member is, how the account is guarded, and where it is in use. */
export default function SecurityPage() {
  const t = useT();
  const session = useSession();
  return (
    <div className="grid grid-cols-1 gap-8">
      <header className="grid gap-3">
        <h1 className="display text-3xl sm:text-4xl">{t("security.title")}</h1>
        <p className="max-w-[68ch] text-muted">{t("security.lead")}</p>
      </header>
      {session.kind === "unknown" && <Skeleton className="h-96 w-full" />}
      {session.kind === "visitor" && (
        <Gate
          text={t("error.session_required")}
          action={t("header.login")}
          onAction={() => openLogin("/securityCenter")}
        />
      )}
      {session.kind === "trial" && (
        <Gate
          text={t("in_need_true_account")}
          action={t("in_increase_submit")}
          onAction={() => openRegister("/securityCenter")}
        />
      )}
      {session.kind === "member" && session.member.toComplete && (
        <Gate
          text={t("complete.text")}
          action={t("complete.title")}
          onAction={() => openComplete()}
        />
      )}
      {session.kind === "member" && <LostContacts />}
      {session.kind === "member" && <Panels account={session.member} />}
    </div>
  );
}

function Gate(props: { text: string; action: string; onAction: () => void }) {
  return (
    <section className="leaf-lg flex flex-wrap items-center justify-between gap-4 border border-line bg-surface p-5">
      <p className="max-w-[52ch]">{props.text}</p>
      <Button variant="main" onClick={props.onAction}>
        {props.action}
      </Button>
    </section>
  );
}

function Panels({ account }: { account: Account }) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <ProfilePanel account={account} />
      <SafetyPanel account={account} />
      <DevicesPanel />
      <LoginsPanel />
    </div>
  );
}
