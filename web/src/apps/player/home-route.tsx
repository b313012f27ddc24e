import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { useFreePlay } from "@/features/auth/free-play";
import { useSession } from "@/features/auth/session";
import { useLaunch } from "@/features/games/use-launch";
import { HomePage } from "@/features/lobby/pages/home-page";
import { loadMessages } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { bootQuery } from "./site-gate";

/** What lies below the first screen is loaded after it. */
const HomeMore = lazy(async () => {
  const [part] = await Promise.all([
    loadPart(() => import("./home-more")),
    loadPart(() => loadMessages("catalogue", "home")),
  ]);
  return part;
});

/** The home page; `/login` and `/register` are its children. */
export function HomeRoute() {
  const session = useSession();
  const launch = useLaunch();
  // What the page shows of games comes with the boot data, also after a change of language.
  useQuery(bootQuery);
  const { start, busy } = useFreePlay();
  const visitor = session.kind === "visitor";
  return (
    <>
      <HomePage
        onPlay={launch}
        onTry={visitor ? () => void start("/play/dice") : undefined}
        trying={busy}
        onNotices={() => openPopup("notices", {})}
      >
        <div className="home-lists">
          <Suspense>
            <HomeMore />
          </Suspense>
        </div>
      </HomePage>
      <Outlet />
    </>
  );
}
