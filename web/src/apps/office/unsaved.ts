import { use, useEffect, useRef } from "react";
import { PopupHold } from "@/ui/popup-hold";

/** Something that would be lost with the page. */
type Unsaved = {
  /** Whether there is anything to lose just now. */
  isThere: () => boolean;
  /** What is there was shown this once. */
  isShownOnce?: boolean;
  /** It is being sent, or done with: where the page goes by itself is a part of that. */
  isFree?: () => boolean;
  onLeave?: () => void;
};

type Part = Unsaved & { isInDialog: boolean };

const parts = new Set<Part>();

/** As long as this part is shown, nobody leaves the page without being asked. */
export function useUnsaved(unsaved: Unsaved): void {
  const isInDialog = use(PopupHold) !== null;
  const latest = useRef(unsaved);
  useEffect(() => {
    latest.current = unsaved;
  });
  const isShownOnce = unsaved.isShownOnce ?? false;
  useEffect(() => {
    const part: Part = {
      isInDialog,
      isShownOnce,
      isThere: () => latest.current.isThere(),
      isFree: () => latest.current.isFree?.() ?? false,
      onLeave: () => latest.current.onLeave?.(),
    };
    parts.add(part);
    return () => {
      parts.delete(part);
    };
  }, [isInDialog, isShownOnce]);
}

export type Way = {
  /** By the browser's own buttons, not by anything on the page. */
  isBrowsers: boolean;
  isSamePage: boolean;
};

/**
 * What is lost that way. A dialog is closed by an address without it: on the same page that is its own doing, as is
 * whatever comes of sending it.
 */
export function lostBy({ isBrowsers, isSamePage }: Way): readonly Unsaved[] {
  return [...parts].filter(
    ({ isThere, isFree, isInDialog }) =>
      isThere() && (isBrowsers || !(isFree?.() || (isInDialog && isSamePage))),
  );
}

/** Loading again takes everything along. */
export const isAnythingUnsaved = (): boolean => [...parts].some(({ isThere }) => isThere());
