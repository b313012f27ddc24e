import { createContext, use, useEffect, useLayoutEffect, useRef } from "react";

/** What is done instead of closing a popup. */
export type Hold = () => void;

/** Sets what holds a popup open, or takes it away. */
export const PopupHold = createContext<((hold: Hold | null) => void) | null>(null);

/**
 * As long as this part is shown, its popup does not close by Esc or its button: `ask` is called instead, which may close
 * it in the end. It is not called again before it is done.
 */
export function useHold(ask: () => Promise<void>): void {
  const setHold = use(PopupHold);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  // With what is seen, not a moment later: a key may come in between.
  useLayoutEffect(() => {
    let isAsking = false;
    setHold?.(() => {
      if (isAsking) return;
      isAsking = true;
      void latest.current().finally(() => (isAsking = false));
    });
    return () => setHold?.(null);
  }, [setHold]);
}
