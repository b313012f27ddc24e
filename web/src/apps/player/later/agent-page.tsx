import { Link } from "@tanstack/react-router";
import { Suspense, lazy, useState } from "react";
import { useLeave } from "@/features/auth/leave";
import { useSession } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button, buttonClass } from "@/ui/button";
import { FormAlert } from "@/ui/form-alert";
import { PageSkeleton } from "../page-states";
import { LaterPage } from "./later-page";

const AgentLogin = lazy(() => loadPart(() => import("./agent-login")));

const points = ["agent.team", "agent.contracts", "agent.income"] as const;

/** The agents' home: agents find their center here, others a log-in that lets agents in only. */
export default function AgentPage() {
  const { kind, member } = useSession();
  const [isAsked, setAsked] = useState(false);
  if (kind === "visitor" && !isAsked) setAsked(true);
  // Whoever was asked is in before it is known who that is; where that fails, the log-in says so.
  const isComing = kind === "unknown" && isAsked;
  if (kind === "visitor" || isComing) {
    return (
      <Suspense fallback={<PageSkeleton />}>
        <AgentLogin />
      </Suspense>
    );
  }
  if (kind === "unknown") return <PageSkeleton />;
  if (!member.isAgent) return <NotAnAgent />;
  return <LaterPage title="agent.title" text="agent.text" points={points} />;
}

function NotAnAgent() {
  const t = useT();
  const leave = useLeave();
  return (
    <section className="leaf-lg relative grid justify-items-start gap-5 overflow-hidden border border-line bg-surface p-6 sm:p-14">
      <div
        className="lattice lattice-right absolute inset-y-0 right-0 w-1/2 max-sm:hidden"
        aria-hidden="true"
      />
      <h1 className="display relative text-3xl sm:text-4xl">{t("agent.eyebrow")}</h1>
      <div className="relative">
        <FormAlert text={t("error_not_agent")} />
      </div>
      <p className="relative max-w-[50ch] text-muted">{t("agent.not_agent")}</p>
      <div className="relative flex flex-wrap gap-3">
        <Link to="/join" className={buttonClass("main", "lg")}>
          {t("agent.become_link")}
        </Link>
        <Button size="lg" className="bg-surface" onClick={() => void leave()}>
          {t("logout.action")}
        </Button>
      </div>
    </section>
  );
}
