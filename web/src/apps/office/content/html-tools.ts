import type { Key } from "@/lib/i18n/i18n";

/** A text with a part of it chosen. */
export type Selection = { text: string; from: number; to: number };

export type ToolId = "bold" | "italic" | "heading" | "list" | "link";

export const tools: readonly { id: ToolId; label: Key }[] = [
  { id: "bold", label: "edit.tool_bold" },
  { id: "italic", label: "edit.tool_italic" },
  { id: "heading", label: "edit.tool_heading" },
  { id: "list", label: "edit.tool_list" },
  { id: "link", label: "edit.tool_link" },
];

/** Puts something before and behind the chosen part, which stays chosen. */
function wrap({ text, from, to }: Selection, before: string, after: string): Selection {
  const chosen = text.slice(from, to);
  const start = from + before.length;
  return {
    text: text.slice(0, from) + before + chosen + after + text.slice(to),
    from: start,
    to: start + chosen.length,
  };
}

/** Every chosen line becomes an item. */
function listed({ text, from, to }: Selection): Selection {
  const lines = text.slice(from, to).split("\n").filter(Boolean);
  const items = (lines.length > 0 ? lines : [""]).map((line) => `  <li>${line.trim()}</li>`);
  const list = `<ul>\n${items.join("\n")}\n</ul>`;
  const end = from + list.length;
  // An empty item waits for its text.
  const at = lines.length > 0 ? end : end - "</li>\n</ul>".length;
  return { text: text.slice(0, from) + list + text.slice(to), from: at, to: at };
}

/** The address is chosen next: it is what has to be typed. */
function linked(selection: Selection): Selection {
  const before = '<a href="';
  const address = "https://";
  const { text } = wrap(selection, `${before}${address}">`, "</a>");
  const from = selection.from + before.length;
  return { text, from, to: from + address.length };
}

/** What a tool makes of a text. */
export function applyTool(id: ToolId, selection: Selection): Selection {
  switch (id) {
    case "bold":
      return wrap(selection, "<strong>", "</strong>");
    case "italic":
      return wrap(selection, "<em>", "</em>");
    case "heading":
      return wrap(selection, "<h2>", "</h2>");
    case "list":
      return listed(selection);
    case "link":
      return linked(selection);
  }
}
