import { LaterPage } from "./later-page";

const points = ["later.football_odds", "later.football_live", "later.football_record"] as const;

/** Football bets. */
export default function FootballPage() {
  return <LaterPage title="later.football_title" text="later.football_text" points={points} />;
}
