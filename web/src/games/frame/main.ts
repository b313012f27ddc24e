import "./frame.css";
import "./table.css";
import "./panel.css";
import "./sheet.css";

import { type InitMessage, isPortMessage } from "../protocol";
import { applyTheme } from "./dom";
import { loadGame } from "./games";
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
  document.documentElement.lang = init.lang;
  applyTheme(init.theme);
  const [game, { Table }] = await Promise.all([loadGame(init.game), import("./table")]);
  if (!root || !game) return;
  const table = new Table(game, init, link);
  root.replaceChildren(table.view);
  await table.ready();
  window.addEventListener("pagehide", () => table.destroy(), { once: true });
  tellSize(table.view, link);
  link.ready();
}

/** The page gives the game the height that it needs, so that nothing scrolls inside the frame. */
function tellSize(view: HTMLElement, link: Link): void {
  let width = 0;
  const tell = (): void => {
    const { scrollHeight } = document.documentElement;
    // With another width everything lies otherwise: what was asked for is not needed any more.
    if (width !== innerWidth) link.size(0);
    width = innerWidth;
    if (scrollHeight > innerHeight) link.size(scrollHeight);
  };
  new ResizeObserver(tell).observe(view);
  tell();
}

start();
