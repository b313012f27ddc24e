import { type Checked, checkAll } from "@/lib/fair/check-all";
import { checkEvidence } from "@/lib/fair/check";
import { readRounds } from "@/lib/fair/evidence";
import { tellGame } from "@/lib/fair/names";
import { say } from "@/lib/fair/told/said";
import type { Key } from "@/lib/i18n/i18n";

import { button, el } from "./dom";
import { roundView } from "./round-view";
import { type Language, languages, translate } from "./words";

/** More results than this are counted, not listed. */
const LISTED = 500;

const states: Readonly<Record<Checked["state"], { sign: string; text: Key }>> = {
  good: { sign: "✓", text: "fair.good" },
  bad: { sign: "✗", text: "fair.bad" },
  open: { sign: "·", text: "fair.open" },
  secret: { sign: "?", text: "fair.secret" },
};

let language: Language = navigator.language.startsWith("fil") ? "fil" : "en";
let pasted = "";

/** The whole page; it is made anew in another language. */
function show(): void {
  const t = translate(language);
  document.documentElement.lang = language;
  document.title = t("fair.offline");
  const results = el("div", { class: "results" });
  const box = el("textarea", {
    rows: "8",
    spellcheck: "false",
    id: "rounds",
  }) as HTMLTextAreaElement;
  box.value = pasted;
  const check = () => {
    pasted = box.value;
    void showResults(box.value, results);
  };
  const file = el("input", { type: "file", accept: ".json,application/json", id: "file" });
  const readFile = async () => {
    const chosen = (file as HTMLInputElement).files?.[0];
    if (chosen) box.value = await chosen.text();
    check();
  };
  file.addEventListener("change", () => void readFile());
  document.body.replaceChildren(
    el(
      "main",
      {},
      el("nav", {}, ...Object.entries(languages).map(([code, name]) => languageButton(code, name))),
      el("h1", {}, t("fair.offline")),
      el("p", {}, t("fair.offline_own")),
      el("label", { for: "rounds" }, t("fair.paste")),
      box,
      el("label", { for: "file" }, t("fair.offline_file")),
      file,
      button(t("fair.check_now"), check, { class: "main" }),
      results,
    ),
  );
  if (pasted !== "") check();
}

function languageButton(code: string, name: string): HTMLElement {
  const change = () => {
    language = code as Language;
    show();
  };
  return button(name, change, { lang: code, "aria-pressed": String(code === language) });
}

/** Checks what is in a text, and lists what came of it. */
async function showResults(text: string, results: HTMLElement): Promise<void> {
  const t = translate(language);
  const read = readRounds(text);
  if (!read || read.found.length === 0) {
    results.replaceChildren(el("p", { class: "differs", role: "alert" }, t("fair.paste_wrong")));
    return;
  }
  const progress = el("p", { role: "status" }, t("fair.checking", 0, read.found.length));
  results.replaceChildren(progress);
  const checked = await checkAll(read.found, (count) => {
    progress.textContent = t("fair.checking", count, read.found.length);
  });
  const count = (state: Checked["state"]) => checked.filter((one) => one.state === state).length;
  const round = el("div");
  const sum = t("fair.pasted", checked.length, count("good"), count("bad"), count("secret"));
  const list = el(
    "ul",
    { class: "list" },
    ...checked.slice(0, LISTED).map((one) => row(one, round)),
  );
  progress.textContent = sum;
  results.replaceChildren(progress, ...(checked.length > 1 ? [list] : []), round);
  // What does not add up is what one looks for.
  const first = checked.find(({ state }) => state === "bad") ?? checked[0];
  if (first) await showRound(first, round);
}

function row(one: Checked, round: HTMLElement): HTMLElement {
  const t = translate(language);
  const { sign, text } = states[one.state];
  const { id, game, evidence } = one.found;
  const name = [say(t, tellGame(game)), id ?? evidence?.nonce ?? ""].join(" ");
  const open = button(`${sign} ${name}`, () => void showRound(one, round), {
    class: one.state,
    title: t(text),
  });
  return el("li", {}, open);
}

async function showRound({ found }: Checked, round: HTMLElement): Promise<void> {
  const t = translate(language);
  if (!found.evidence) {
    round.replaceChildren(el("p", {}, t("fair.offline_secret")));
    return;
  }
  round.replaceChildren(roundView(await checkEvidence(found.evidence), t));
}

show();
