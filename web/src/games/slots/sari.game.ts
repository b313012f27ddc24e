import { slotGame } from "./slot-game";
import { sariStyle } from "./styles/sari";

export default slotGame("sari", sariStyle, { stage: "sari.stage", rules: "sari.rules" });
