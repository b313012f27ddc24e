import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Fragment, Suspense, lazy } from "react";
import { Fault } from "@/ui/error-boundary";
import { type Me, meQuery } from "./api";
import { KeepLine } from "./line";
import { LoginPage } from "./login-page";
import { NotAllowed, PageSkeleton } from "./page-states";
import { pageAt } from "./pages";
import { KeepUnsaved } from "./keep-unsaved";
import { KeepProof } from "./proof/proof-dialog";
import { MeProvider, may } from "./session";
import { LoginBar } from "./shell/login-bar";
import { Shell } from "./shell/shell";

const DeskPage = lazy(() => import("./desk/desk-page"));

/** Whoever is not logged in sees the log-in at the address that was asked for, and is there afterwards. */
export function Gate() {
  const { data: me, error, refetch } = useQuery(meQuery);
  if (me) return <Inside me={me} />;
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <LoginBar />
      {me === null ? (
        <LoginPage />
      ) : (
        <main className="p-6">
          {error ? (
            <Fault onRetry={() => void refetch()} onLeave={() => location.reload()} />
          ) : (
            <PageSkeleton />
          )}
        </main>
      )}
    </div>
  );
}

/** With a password that was given nothing but the desk is open, where another one is chosen. */
function Inside({ me }: { me: Me }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const asked = pageAt(path)?.right ?? null;
  const named = asked === null || typeof asked === "string" ? asked : (asked[0] ?? null);
  return (
    <MeProvider value={me}>
      <Shell>
        {me.mustChangePassword ? (
          <Suspense fallback={<PageSkeleton />}>
            <DeskPage />
          </Suspense>
        ) : may(me, asked) ? (
          <Outlet />
        ) : (
          <NotAllowed right={named} />
        )}
      </Shell>
      <Fragment key={me.id}>
        <KeepLine />
        <KeepProof />
        <KeepUnsaved />
      </Fragment>
    </MeProvider>
  );
}
