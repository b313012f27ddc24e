import type { ReactNode } from "react";
import { create } from "zustand";
import type { Key, Namespace } from "@/lib/i18n/i18n";

export type ConfirmProps = {
  title: Key;
  text: Key;
  action: Key;
  resolve: (confirmed: boolean) => void;
};

export type NoticeProps = {
  title: Key;
  text: Key;
  /** A sentence that stands already, instead of the text: what the server said, for example. */
  words?: string;
  action: Key;
  onAction?: () => void;
};

/** Every popup and its properties. A feature adds its own by declaration merging in its `popups.ts`. */
export interface Popups {
  confirm: ConfirmProps;
  notice: NoticeProps;
}
export type PopupName = keyof Popups;

/** Who may see a popup: a visitor is sent to the login, a trial account is told to register. */
export type Needs = "anyone" | "session" | "member";

export type PopupEntry<K extends PopupName> = {
  load: () => Promise<{ default: (props: Popups[K] & { close: () => void }) => ReactNode }>;
  needs: Needs;
  /** `page` popups wait for each other, `over` popups lie on top of what is open. */
  stack: "page" | "over";
  messages?: readonly Namespace[];
};
export type PopupRegistry = { readonly [K in PopupName]: PopupEntry<K> };

export type OpenPopup = {
  id: number;
  name: PopupName;
  props: Popups[PopupName];
  onClosed: (() => void) | undefined;
};

type Refusal = { [K in PopupName]: { name: K; props: Popups[K] } }[PopupName];
type Guard = (needs: Needs) => Refusal | null;

type PopupState = { open: readonly OpenPopup[]; waiting: readonly OpenPopup[] };

export const usePopups = create<PopupState>(() => ({ open: [], waiting: [] }));

let registry: PopupRegistry | null = null;
let guard: Guard = () => null;
let nextId = 1;

export function setUpPopups(entries: PopupRegistry, check: Guard): void {
  registry = entries;
  guard = check;
}

export function popupEntry<K extends PopupName>(name: K): PopupEntry<K> {
  if (!registry) throw new Error("popups are not set up");
  return registry[name];
}

/** Opens a popup, or what its guard asks for instead. Returns the id to close it by. */
export function openPopup<K extends PopupName>(
  name: K,
  props: Popups[K],
  onClosed?: () => void,
): number {
  const entry = popupEntry(name);
  const refusal = guard(entry.needs);
  if (refusal) return openPopup(refusal.name, refusal.props, onClosed);
  const popup: OpenPopup = { id: nextId++, name, props, onClosed };
  usePopups.setState((state) => placed(state, popup, entry.stack));
  return popup.id;
}

function placed(state: PopupState, popup: OpenPopup, stack: "page" | "over"): PopupState {
  const mustWait =
    stack === "page" && state.open.some((other) => popupEntry(other.name).stack === "page");
  return mustWait
    ? { ...state, waiting: [...state.waiting, popup] }
    : { ...state, open: [...state.open, popup] };
}

export function closePopup(id: number): void {
  const { open, waiting } = usePopups.getState();
  const closing = [...open, ...waiting].find((popup) => popup.id === id);
  if (!closing) return;
  usePopups.setState(afterClosing(open, waiting, id));
  closing.onClosed?.();
}

function afterClosing(
  open: readonly OpenPopup[],
  waiting: readonly OpenPopup[],
  id: number,
): PopupState {
  const left = open.filter((popup) => popup.id !== id);
  const queue = waiting.filter((popup) => popup.id !== id);
  const [next, ...rest] = queue;
  const free = !left.some((popup) => popupEntry(popup.name).stack === "page");
  return next && free ? { open: [...left, next], waiting: rest } : { open: left, waiting: queue };
}

/** Closes popups, those that wait first: none of them comes forth for it. */
export function closeAllPopups(isMeant: (popup: OpenPopup) => boolean = () => true): void {
  const { open, waiting } = usePopups.getState();
  for (const popup of [...waiting, ...open]) if (isMeant(popup)) closePopup(popup.id);
}

/** Closes what is there for those alone who are logged in. */
export function closeMembersPopups(): void {
  closeAllPopups(({ name }) => popupEntry(name).needs !== "anyone");
}

/** Warns in a dialog with an OK button. */
export function warn(text: Key, words?: string, onClosed?: () => void): void {
  const notice = { title: "warning.title", text, action: "warning.ok" } as const;
  openPopup("notice", { ...notice, ...(words !== undefined && { words }) }, onClosed);
}

/** Asks a question; resolves to false when the popup is closed without an answer. */
export function askConfirm(question: Omit<ConfirmProps, "resolve">): Promise<boolean> {
  return new Promise((resolve) => {
    openPopup("confirm", { ...question, resolve }, () => resolve(false));
  });
}
