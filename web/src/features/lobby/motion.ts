import { useSyncExternalStore } from "react";

const less = "(prefers-reduced-motion: reduce)";

export function wantsLessMotion(): boolean {
  return matchMedia(less).matches;
}

function onMotionChange(listener: () => void): () => void {
  const query = matchMedia(less);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Whether the device asks for less motion; the component renders again when that changes. */
export function useLessMotion(): boolean {
  return useSyncExternalStore(onMotionChange, wantsLessMotion);
}

function onTabChange(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** Whether nobody can see the page now. */
export function useHiddenTab(): boolean {
  return useSyncExternalStore(onTabChange, () => document.hidden);
}
