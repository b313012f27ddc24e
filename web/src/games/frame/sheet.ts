import { el } from "./dom";

/** A sheet over the table; Escape and its button close it. */
export class Sheet {
  readonly view: HTMLDialogElement;
  readonly body = el("div", { class: "sheet-body" });

  constructor(id: string, title: string, close: string) {
    const button = el("button", { type: "button", class: "step" }, close);
    button.addEventListener("click", () => this.close());
    this.view = el(
      "dialog",
      { class: "sheet", "aria-labelledby": `${id}-title` },
      el("header", {}, el("h2", { id: `${id}-title` }, title), button),
      this.body,
    );
  }

  open(): void {
    this.view.showModal();
  }

  close(): void {
    this.view.close();
  }

  get isOpen(): boolean {
    return this.view.open;
  }
}
