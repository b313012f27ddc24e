import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { invitation } from "@/features/auth/invitation";
import { openRegister } from "@/features/auth/popups";
import { useSession } from "@/features/auth/session";
import { getBoot, isSwitchedOn } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { LoadFailed } from "@/ui/list-states";
import { NumberedSteps, type Step } from "@/ui/numbered-steps";
import { Skeleton } from "@/ui/skeleton";
import { applicationQuery } from "../api";
import { ApplicationForm } from "../components/application-form";
import { OwnApplicationView } from "../components/own-application";

const story: readonly Step[] = [
  { title: "join.step_apply", text: "join.step_apply_text" },
  { title: "join.step_read", text: "join.step_read_text" },
  { title: "join.step_link", text: "join.step_link_text" },
];

/** How to become an affiliate, and the form for it. */
export default function JoinPage() {
  const t = useT();
  return (
    <div className="grid grid-cols-1 gap-10">
      <header className="grid gap-3">
        <h1 className="display text-[min(1.875rem,8vw)] text-balance sm:text-4xl">
          {t("join.title")}
        </h1>
        <p className="max-w-[62ch] text-lg">{t("join.lead", getBoot().merchant.name)}</p>
      </header>
      <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-[minmax(0,1fr)_30rem]">
        <div className="grid grid-cols-1 gap-8">
          <NumberedSteps steps={story} className="grid gap-6" />
          <p className="max-w-[62ch] text-muted">{t("join.honest")}</p>
          <Invited />
        </div>
        <Apply />
      </div>
    </div>
  );
}

/** Whoever came by somebody's link keeps its code, for the application and for the registration. */
function Invited() {
  const t = useT();
  const session = useSession();
  const { affiliateCode, referralCode } = invitation(sessionStorage);
  const code = affiliateCode ?? referralCode;
  if (session.kind !== "visitor" || !isSwitchedOn("DIRECTREG3")) return null;
  return (
    <section className="leaf-lg grid justify-items-start gap-3 border border-line bg-surface p-5">
      <h2 className="display text-lg">{t("join.player")}</h2>
      <p className="max-w-[52ch] text-muted">
        {code === undefined ? t("join.player_text") : t("join.player_code")}{" "}
        {code !== undefined && <code className="font-mono">{code}</code>}
      </p>
      <Button onClick={() => openRegister()}>{t("join.register")}</Button>
    </section>
  );
}

function Apply() {
  const t = useT();
  const session = useSession();
  const isMember = session.kind === "member" || session.kind === "trial";
  const { data, error, refetch } = useQuery({ ...applicationQuery, enabled: isMember });
  const [sent, setSent] = useState(false);
  const [again, setAgain] = useState(false);
  const waits = session.kind === "unknown" || (isMember && data === undefined && !error);
  const box =
    "leaf-lg grid min-h-160 min-w-0 content-start gap-5 border border-line bg-surface p-5 sm:p-6";
  return (
    <section aria-labelledby="apply" className={box}>
      <h2 id="apply" className="display text-xl">
        {t("join.form")}
      </h2>
      {waits && <Skeleton className="h-120" />}
      {isMember && error && data === undefined && (
        <LoadFailed error={error} onRetry={() => void refetch()} />
      )}
      {isMember && data && !again && (
        <OwnApplicationView application={data} onAgain={() => setAgain(true)} />
      )}
      {session.kind === "visitor" && sent && (
        <p role="status" className="text-lg">
          {t("join.sent")}
        </p>
      )}
      {((session.kind === "visitor" && !sent) || (isMember && (data === null || again))) && (
        <ApplicationForm
          isVisitor={session.kind === "visitor"}
          onSent={() => {
            setSent(true);
            setAgain(false);
          }}
        />
      )}
    </section>
  );
}
