import { slotGame } from "./slot-game";
import { reefStyle } from "./styles/reef";

export default slotGame("reef", reefStyle, { stage: "reef.stage", rules: "reef.rules" });
