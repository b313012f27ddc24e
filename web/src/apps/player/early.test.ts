// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noteEarly } from "./early";

const page = `
  <header><button class="a">Log in</button><button class="b">Join</button></header>
  <main><button>Play</button><button>Play</button><input name="q" /><a href="#x">Read</a></main>`;

const heard: string[] = [];
const root = () => document.getElementById("root") as HTMLElement;
const all = (selector: string) => [...root().querySelectorAll<HTMLElement>(selector)];
const button = (n: number) => all("button")[n] as HTMLElement;

/** As React does it: the old page goes, the new one comes with its listeners. */
async function renderAnew(html = page): Promise<void> {
  root().innerHTML = html;
  for (const [n, one] of all("button").entries()) {
    one.addEventListener("click", () => heard.push(`${n} ${one.textContent}`));
  }
  await Promise.resolve();
  vi.runAllTimers();
}

beforeEach(() => {
  vi.useFakeTimers();
  heard.length = 0;
  document.body.innerHTML = `<div id="root">${page}</div>`;
  vi.spyOn(Element.prototype, "getClientRects").mockReturnValue([{}] as unknown as DOMRectList);
  noteEarly();
  document.dispatchEvent(new Event("readystatechange"));
});
afterEach(async () => {
  await renderAnew();
  vi.useRealTimers();
});

describe("what is done before the page is alive", () => {
  it("is pressed again on the same control, once", async () => {
    button(3).click();
    button(3).click();
    await renderAnew();
    expect(heard).toEqual(["3 Play"]);
    button(0).click();
    expect(heard).toEqual(["3 Play", "0 Log in"]);
  });

  it("follows a control that has moved", async () => {
    button(1).click();
    await renderAnew(`<nav><button>Menu</button></nav>${page}`);
    expect(heard).toEqual(["2 Join"]);
  });

  it("finds the control in another language, by its place", async () => {
    button(1).click();
    await renderAnew(page.replace("Log in", "Mag-login").replace("Join", "Sumali"));
    expect(heard).toEqual(["1 Sumali"]);
  });

  it("is dropped where the control is gone", async () => {
    button(0).click();
    await renderAnew(page.replace(/<header>.*<\/header>/, ""));
    expect(heard).toEqual([]);
  });

  it("is dropped after a long time", async () => {
    button(0).click();
    vi.advanceTimersByTime(11_000);
    await renderAnew();
    expect(heard).toEqual([]);
  });

  it("keeps what was typed, and tells the page of it", async () => {
    const field = () => all("input")[0] as HTMLInputElement;
    field().value = "mines";
    field().dispatchEvent(new Event("input", { bubbles: true }));
    const told: string[] = [];
    root().addEventListener("change", ({ target }) => told.push((target as Element).localName));
    await renderAnew();
    expect(field().value).toBe("mines");
    expect(told).toEqual(["input"]);
  });

  it("finishes a press that the rendering has cut in two", async () => {
    button(0).dispatchEvent(new Event("pointerdown", { bubbles: true }));
    await renderAnew();
    expect(heard).toEqual([]);
    button(0).dispatchEvent(new Event("pointerup", { bubbles: true }));
    button(0).dispatchEvent(new Event("pointerup", { bubbles: true }));
    expect(heard).toEqual(["0 Log in"]);
  });

  it("gives the focus back", async () => {
    button(1).focus();
    button(1).dispatchEvent(new Event("focusin", { bubbles: true }));
    await renderAnew();
    expect(document.activeElement).toBe(button(1));
  });
});
