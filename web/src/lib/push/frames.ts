import type { Balance, WinnerEntry } from "@/lib/api/types";

export type Topic = "site" | "winners" | "member";
export type Versions = Partial<Record<Topic, number>>;

/** Why the server ended a session, where there is more to say than that it is over. */
export type EndReason = "member.frozen" | "member.closed";

export type PushEvent =
  | { topic: "member"; type: "balance"; balance: Balance }
  | { topic: "member"; type: "session_ended"; why?: EndReason }
  | { topic: "member"; type: "feedback" | "affiliate" }
  | { topic: "winners"; type: "winner"; entry: WinnerEntry }
  | { topic: "site"; type: "settings" };

export type ControlEvent =
  | { type: "ready"; topics: Versions; gaps: Topic[] }
  | { type: "gap"; topics: Topic[] }
  | { type: "denied"; code: string }
  | { type: "pong" };

export type Frame =
  | { kind: "events"; v: number; topic: Topic; events: PushEvent[] }
  | { kind: "control"; event: ControlEvent };

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTopic(value: unknown): value is Topic {
  return value === "site" || value === "winners" || value === "member";
}

function topicsIn(value: unknown): Topic[] {
  return Array.isArray(value) ? value.filter(isTopic) : [];
}

function versionsIn(value: unknown): Versions {
  const versions: Versions = {};
  for (const [topic, version] of Object.entries(isFields(value) ? value : {})) {
    if (isTopic(topic) && typeof version === "number") versions[topic] = version;
  }
  return versions;
}

function hasTexts(value: unknown, ...names: string[]): value is Fields {
  return isFields(value) && names.every((name) => typeof value[name] === "string");
}

function isBalance(value: unknown): value is Balance {
  return hasTexts(value, "currency", "balance") && typeof value["version"] === "number";
}

function isWinner(value: unknown): value is WinnerEntry {
  return hasTexts(value, "customerName", "gameName", "gameCode", "winAmount", "currency", "at");
}

function controlEvent(event: Fields): ControlEvent | null {
  switch (event["type"]) {
    case "ready":
      return { type: "ready", topics: versionsIn(event["topics"]), gaps: topicsIn(event["gaps"]) };
    case "gap":
      return { type: "gap", topics: topicsIn(event["topics"]) };
    case "denied":
      return { type: "denied", code: String(event["code"]) };
    case "pong":
      return { type: "pong" };
    default:
      return null;
  }
}

function topicEvent(topic: Topic, event: Fields): PushEvent | null {
  const { type, balance, entry, why } = event;
  if (topic === "member" && type === "balance" && isBalance(balance))
    return { topic, type, balance };
  if (topic === "member" && type === "session_ended") {
    const isKnown = why === "member.frozen" || why === "member.closed";
    return { topic, type, ...(isKnown && { why }) };
  }
  if (topic === "member" && (type === "feedback" || type === "affiliate")) return { topic, type };
  if (topic === "winners" && type === "winner" && isWinner(entry)) return { topic, type, entry };
  if (topic === "site" && type === "settings") return { topic, type };
  return null;
}

/** The events that this build of the site knows, in order. */
function topicEvents(topic: Topic, events: unknown): PushEvent[] {
  const list = Array.isArray(events) ? events.filter(isFields) : [];
  return list.map((event) => topicEvent(topic, event)).filter((event) => event !== null);
}

/** Checks a text frame once, here; null for what this build of the site does not know. */
export function readFrame(text: string): Frame | null {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isFields(frame)) return null;
  const { v, topic, event } = frame;
  if (topic === "control") {
    const control = isFields(event) ? controlEvent(event) : null;
    return control && { kind: "control", event: control };
  }
  if (!isTopic(topic) || typeof v !== "number") return null;
  const events = topicEvents(topic, frame["events"]);
  return events.length > 0 ? { kind: "events", v, topic, events } : null;
}
