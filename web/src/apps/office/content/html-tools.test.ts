import { describe, expect, it } from "vitest";
import { type ToolId, applyTool } from "./html-tools";

/** The text with the chosen part between strokes, before and after. */
function after(id: ToolId, marked: string): string {
  const from = marked.indexOf("|");
  const to = marked.lastIndexOf("|") - 1;
  const made = applyTool(id, { text: marked.replaceAll("|", ""), from, to });
  const { text } = made;
  return `${text.slice(0, made.from)}|${text.slice(made.from, made.to)}|${text.slice(made.to)}`;
}

describe("the tools", () => {
  it("put marks around what is chosen, and keep it chosen", () => {
    expect(after("bold", "a |word| here")).toBe("a <strong>|word|</strong> here");
    expect(after("italic", "||")).toBe("<em>||</em>");
    expect(after("heading", "|Title|")).toBe("<h2>|Title|</h2>");
  });
  it("make an item of each line", () => {
    expect(after("list", "|one\ntwo|")).toBe("<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>||");
    expect(after("list", "||")).toBe("<ul>\n  <li>||</li>\n</ul>");
  });
  it("choose the address of a link, which has to be typed", () => {
    expect(after("link", "see |this|")).toBe('see <a href="|https://|">this</a>');
  });
});
