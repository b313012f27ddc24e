import { type ReactNode, act } from "react";
import { type Root, createRoot } from "react-dom/client";
import { afterEach, beforeEach, vi } from "vitest";

/** Lets everything happen that is under way. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

/** A document for each test of a file, with what is shown in it. */
export function setStage() {
  let root: Root;
  beforeEach(() => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    const place = document.createElement("div");
    document.body.replaceChildren(place);
    root = createRoot(place);
  });
  afterEach(() => act(async () => root.unmount()));

  const input = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`);
  const type = (name: string, text: string) => {
    const field: HTMLInputElement | HTMLTextAreaElement | null = input(name);
    if (!field) throw new Error(`there is no field: ${name}`);
    // Past the property that React has put on the element to notice changes.
    const { prototype } =
      field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const run = (work: () => void) =>
    act(async () => {
      work();
      await settled();
    });
  const button = (text: string) =>
    [...document.querySelectorAll("button")].find(
      (one) => one.textContent === text || one.getAttribute("aria-label") === text,
    );
  const press = (text: string) => {
    const found = button(text);
    if (!found) throw new Error(`there is no button: ${text}`);
    return run(() => found.click());
  };
  return {
    show: (node: ReactNode) => run(() => root.render(node)),
    /** Does something, and lets what comes of it happen. */
    run,
    input,
    /** A button by its words. */
    button,
    press,
    type: (typed: Readonly<Record<string, string>>) =>
      run(() => {
        for (const [name, text] of Object.entries(typed)) type(name, text);
      }),
    submit: () =>
      run(() => {
        const event = new Event("submit", { bubbles: true, cancelable: true });
        document.querySelector("form")?.dispatchEvent(event);
      }),
    /** Whether a field is marked as wrong. */
    isWrong: (name: string) => input(name)?.getAttribute("aria-invalid") === "true",
    text: () => document.body.textContent ?? "",
  };
}
