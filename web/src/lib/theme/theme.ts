import { create } from "zustand";

export type Theme = "dark" | "light";
/** What the visitor chose; `system` follows the device. */
export type ThemeChoice = Theme | "system";

const storageKey = "theme";

function deviceTheme(): Theme {
  return globalThis.matchMedia?.("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

function storedChoice(): ThemeChoice {
  const kept = globalThis.localStorage?.getItem(storageKey);
  return kept === "dark" || kept === "light" ? kept : "system";
}

type ThemeState = { choice: ThemeChoice; theme: Theme };

function stateOf(choice: ThemeChoice): ThemeState {
  return { choice, theme: choice === "system" ? deviceTheme() : choice };
}

const useThemeStore = create<ThemeState>(() => stateOf(storedChoice()));

useThemeStore.subscribe(({ theme }) => {
  document.documentElement.dataset.theme = theme;
});

globalThis.matchMedia?.("(prefers-color-scheme: light)").addEventListener("change", () => {
  if (useThemeStore.getState().choice === "system") useThemeStore.setState(stateOf("system"));
});

export function setThemeChoice(choice: ThemeChoice): void {
  if (choice === "system") localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  useThemeStore.setState(stateOf(choice));
}

/** The theme that is shown now, for example to hand it to a game frame. */
export function useTheme(): Theme {
  return useThemeStore((state) => state.theme);
}

export function useThemeChoice(): ThemeChoice {
  return useThemeStore((state) => state.choice);
}
