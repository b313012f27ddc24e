import "./frame.css";

import { type InitMessage, isPortMessage } from "../protocol";
import { applyTheme } from "./dom";
import { renderers } from "./game";
import { Link } from "./link";

/** Entry of the sandboxed frame: waits for its port, then for what to play. */
function start(): void {
  window.addEventListener("message", function take(event) {
    const [port] = event.ports;
    if (event.source !== window.parent || !port || !isPortMessage(event.data)) return;
    window.removeEventListener("message", take);
    const link: Link = new Link(port, (init) => void show(init, link));
  });
}

async function show(init: InitMessage, link: Link): Promise<void> {
  const root = document.getElementById("game");
  const load = renderers[init.game];
  if (!root || !load) return;
  document.documentElement.lang = init.lang;
  applyTheme(init.theme);
  const { mount } = await load();
  root.replaceChildren();
  const game = await mount(root, init, link);
  window.addEventListener("pagehide", () => game.destroy(), { once: true });
  link.ready();
}

start();
