import { Outlet } from "@tanstack/react-router";
import { useFreePlay } from "@/features/auth/free-play";
import { useSession } from "@/features/auth/session";
import { HomePage } from "@/features/lobby/pages/home-page";

/** The home page; `/login` and `/register` are its children. */
export function HomeRoute() {
  const session = useSession();
  const { start, busy } = useFreePlay();
  const visitor = session.kind === "visitor";
  return (
    <>
      <HomePage onTry={visitor ? () => void start("/play/dice") : undefined} trying={busy} />
      <Outlet />
    </>
  );
}
