import { slotGame } from "./slot-game";
import { windowsStyle } from "./styles/windows";

export default slotGame("windows", windowsStyle, {
  stage: "windows.stage",
  rules: "windows.rules",
});
