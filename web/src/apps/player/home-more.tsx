import HomeLists from "@/features/games/components/home-lists";
import { Downloads } from "@/features/lobby/components/downloads";
import { JackpotCounter } from "@/features/lobby/components/jackpot-counter";
import { VideoArea } from "@/features/lobby/components/video-area";

/** What of the home page lies below the first screen. */
export default function HomeMore() {
  return (
    <>
      <JackpotCounter />
      <HomeLists />
      <VideoArea />
      <Downloads />
    </>
  );
}
