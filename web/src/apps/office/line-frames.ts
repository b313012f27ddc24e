/** What the page does about an event: load who one is again, or one of the lists. */
export type Part = "me" | "approvals" | "feedback" | "affiliates";

export type LineFrame =
  | { kind: "ready"; versions: Record<string, number>; isGap: boolean }
  | { kind: "gap" }
  | { kind: "events"; topic: string; v: number; loads: readonly Part[] };

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const loadsOf: Readonly<Record<string, Part>> = {
  approval: "approvals",
  feedback: "feedback",
  affiliate: "affiliates",
  rights: "me",
  session_ended: "me",
};

function control(event: Fields): LineFrame | null {
  if (event["type"] === "gap") return { kind: "gap" };
  if (event["type"] !== "ready" || !isFields(event["topics"])) return null;
  const versions = Object.entries(event["topics"]).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  const gaps = event["gaps"];
  const isGap = Array.isArray(gaps) && gaps.length > 0;
  return { kind: "ready", versions: Object.fromEntries(versions), isGap };
}

/** Reads a frame of the office's line; null for what this build does not know. */
export function readLine(text: string): LineFrame | null {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isFields(frame)) return null;
  const { v, topic, event, events } = frame;
  if (topic === "control") return isFields(event) ? control(event) : null;
  if (typeof topic !== "string" || typeof v !== "number" || !Array.isArray(events)) return null;
  const loads = events
    .filter(isFields)
    .map(({ type }) => loadsOf[String(type)])
    .filter((part) => part !== undefined);
  return { kind: "events", topic, v, loads };
}
