import { slotGame } from "./slot-game";
import { fiestaStyle } from "./styles/fiesta";

export default slotGame("fiesta", fiestaStyle, { stage: "fiesta.stage", rules: "fiesta.rules" });
