import { gameCodes } from "../frame/games";
import { el } from "../frame/dom";
import { openPort } from "../host/port";
import type { FromFrame, GameRound, Theme, ToFrame } from "../protocol";
import { wordFiles } from "../word-files";
import { House, type Wanted } from "./house";

/** A page for making games: it hosts the frame and answers it without a server. `npm run games` opens it. */
const asked = new URLSearchParams(location.search);
const form = document.querySelector("form") as HTMLFormElement;
const frame = document.querySelector("iframe") as HTMLIFrameElement;
const log = document.querySelector("pre") as HTMLPreElement;

const words = import.meta.glob<Record<string, string>>("../../locales/*/games/**/*.json", {
  import: "default",
});

function choice(name: string, values: readonly string[]): () => string {
  const select = el("select", { name }, ...values.map((value) => el("option", {}, value)));
  select.value = asked.get(name) ?? values[0] ?? "";
  form.append(el("label", {}, `${name} `, select));
  select.addEventListener("change", () => {
    asked.set(name, select.value);
    history.replaceState(null, "", `?${asked}`);
    if (name !== "want" && name !== "theme") location.reload();
  });
  return () => select.value;
}

const game = choice("game", gameCodes())();
const theme = choice("theme", ["dark", "light"]) as () => Theme;
const lang = choice("lang", ["en", "fil"])();
const want = choice("want", ["any", "win", "big", "loss", "free"]) as () => Wanted;
const house = new House(game, asked.get("seed"));
const balance = () => ({ balance: house.balance, currency: "PHP", version: house.version });
const pool = { amount: 812_345.67 };

async function messages(): Promise<Record<string, string>> {
  const paths = wordFiles(Object.keys(words), `../../locales/${lang}/games/`, game);
  return Object.assign({}, ...(await Promise.all(paths.map((path) => words[path]?.()))));
}

async function answer(message: FromFrame): Promise<void> {
  switch (message.type) {
    case "round.start":
      return book(message.requestId, house.play(message.stake, message.choice, want()));
    case "round.act":
      return book(message.requestId, house.act(message.action));
    case "round.shown":
      return port?.send({ type: "balance", balance: balance() });
    default:
  }
}

async function book(requestId: string, call: Promise<GameRound>): Promise<void> {
  try {
    const round = await call;
    log.textContent = JSON.stringify(round.book);
    port?.send({ type: "book", requestId, round });
  } catch (error) {
    port?.send({ type: "refused", requestId, code: "refused", text: String(error) });
  }
}

let port: ReturnType<typeof openPort> | null = null;

async function open(): Promise<void> {
  port = openPort(frame, (message) => void answer(message));
  const init: ToFrame = {
    type: "init",
    game,
    lang,
    theme: theme(),
    currency: "PHP",
    balance: balance(),
    limits: { minStake: "1", maxStake: "10000", maxPayout: "1000000" },
    returnPercent: "99",
    sound: asked.has("sound"),
    autoPlay: true,
    openRound: house.open,
    jackpot: game === "windows" || game === "sari" ? pool.amount.toFixed(2) : null,
    messages: await messages(),
  };
  port.send(init);
}

form.addEventListener("change", () => port?.send({ type: "theme", theme: theme() }));
form.append(
  Object.assign(el("button", { type: "button" }, "Book"), {
    onclick: () => {
      log.hidden = !log.hidden;
    },
  }),
  Object.assign(el("button", { type: "button" }, "Reopen"), {
    onclick: () => frame.contentWindow?.location.reload(),
  }),
);
if (asked.has("bare")) form.hidden = true;
frame.addEventListener("load", () => void open());
frame.src = "/game.html";
setInterval(() => {
  pool.amount += Math.random();
  if (game === "windows" || game === "sari") {
    port?.send({ type: "jackpot", amount: pool.amount.toFixed(2) });
  }
}, 2000);
