import HomeLists from "@/features/games/components/home-lists";
import { OddsCard } from "@/features/lobby/components/odds-card";
import { getBoot } from "@/lib/boot/boot";

/** What of the home page lies below the first screen. */
export default function HomeMore() {
  const hasDice = getBoot().games.some(({ gameCode }) => gameCode === "dice");
  return (
    <>
      <HomeLists />
      {hasDice && <OddsCard />}
    </>
  );
}
