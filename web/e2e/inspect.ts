import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Frame, type Page, expect } from "@playwright/test";
import { settled } from "./settled";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

type AxeResult = {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
};

/** What axe finds on the page and, separately, inside each frame: a sandbox cannot be reached from outside. */
export async function axeFindings(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const frame of page.frames()) {
    await frame.evaluate(axeSource);
    const { violations } = await frame.evaluate<AxeResult, string[]>((tags) => {
      const axe = Reflect.get(globalThis, "axe") as {
        run: (context: Document, options: object) => Promise<AxeResult>;
      };
      return axe.run(document, { runOnly: { type: "tag", values: tags }, iframes: false });
    }, axeTags);
    for (const { id, nodes } of violations) {
      for (const node of nodes) found.push(`${id}: ${node.html}\n${node.failureSummary}`);
    }
  }
  return found;
}

/** Collects what the browser complains about: broken policies, errors in the console, uncaught faults. */
export async function watchFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  await page.exposeFunction("reportViolation", (text: string) => faults.push(`policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      const report = Reflect.get(globalThis, "reportViolation") as (text: string) => void;
      report(
        `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
  return faults;
}

/**
 * How far what is shown has moved by itself since the document came, as browsers count it, and what moved most. What
 * moves within half a second of a press or a key was asked for.
 */
export async function layoutShift(page: Page): Promise<{ shift: number; moved: string[] }> {
  return page.evaluate(async () => {
    type Source = { node: Node | null };
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] };
    const shifts: Shift[] = [];
    const observer = new PerformanceObserver((list) => {
      shifts.push(...(list.getEntries() as Shift[]));
    });
    observer.observe({ type: "layout-shift", buffered: true });
    // What was kept is told in a task of its own.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
    observer.disconnect();
    const own = shifts.filter(({ hadRecentInput }) => !hadRecentInput);
    const nameOf = ({ node }: Source) =>
      node instanceof Element
        ? `${node.localName}.${node.classList.value.replaceAll(" ", ".").slice(0, 60)}`
        : (node?.nodeName ?? "what is gone");
    return {
      shift: own.reduce((sum, { value }) => sum + value, 0),
      moved: own
        .filter(({ value }) => value > 0.002)
        .map((one) => `${one.value.toFixed(3)} ${one.sources.map(nameOf).join(", ")}`),
    };
  });
}

/** Controls that a finger may miss: less than 44 px in one direction. What stands inside a sentence is exempt. */
export async function smallTargets(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const frame of page.frames()) found.push(...(await smallIn(frame)));
  return found;
}

function smallIn(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const scope = document.querySelector("dialog:modal") ?? document;
    const area = (control: Element) =>
      (control.matches("[type=checkbox], [type=radio], [type=file]")
        ? control.closest("label")
        : control) ?? control;
    return [...scope.querySelectorAll("button, input, select, textarea, a[href], summary")]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => !control.matches("p > button, p > a, label a, .safe-html a, .skip-link"))
      .flatMap((control) => {
        const { width, height } = area(control).getBoundingClientRect();
        if (width >= 43.5 && height >= 43.5) return [];
        const name = control.getAttribute("aria-label") ?? control.textContent?.trim() ?? "";
        return [`${control.tagName} "${name}" is ${Math.round(width)} × ${Math.round(height)}`];
      });
  });
}

/** Switches an open page to the pseudo-locale, as another tab would. */
export async function showKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.setItem("pseudo", "1");
    dispatchEvent(new StorageEvent("storage", { key: "pseudo" }));
  });
}

/**
 * Visible text and names that did not come through `t`, on a page in the pseudo-locale. Data may stand there:
 * names of members, games and languages, numbers, amounts, times and codes.
 */
export async function untranslated(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const frame of page.frames()) found.push(...(await untranslatedIn(frame)));
  return found;
}

function untranslatedIn(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const data =
      "code, .font-mono, .winner, #boot, script, style, noscript, [popovertarget], #account-menu p, [data-name]";
    const known = /\b(Capiz|Dice|English|Tagalog|FUN)\b/g;
    const bare = (text: string) =>
      text
        .replaceAll(/\[\[[^\]]*\]\]/g, "")
        .replaceAll(known, "")
        .replaceAll(/\b[0-9a-f]{8,}\b/g, "");
    const wrong = (text: string | null) => text !== null && /\p{Letter}{2,}/u.test(bare(text));
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement;
      // What somebody typed is theirs.
      if (!parent || parent.closest(data) || parent.matches("textarea")) continue;
      if (!parent.checkVisibility()) continue;
      if (wrong(node.textContent)) found.push(`${parent.tagName}: ${node.textContent}`);
    }
    for (const element of document.body.querySelectorAll(
      "[aria-label], [title], [alt], [placeholder]",
    )) {
      if (element.closest(data)) continue;
      for (const name of ["aria-label", "title", "alt", "placeholder"]) {
        const text = element.getAttribute(name);
        if (wrong(text)) found.push(`${element.tagName} ${name}: ${text}`);
      }
    }
    return found;
  });
}

/** Whether a game is whole at the page's width: nothing in anybody's way, nothing too small, nothing cut off. */
export async function expectWhole(page: Page): Promise<void> {
  await settled(page);
  expect.soft(await axeFindings(page)).toEqual([]);
  expect.soft(await smallTargets(page)).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(wide).toBeLessThanOrEqual(0);
}
