import { type RefObject, useEffect, useRef, useState } from "react";

type FullScreen = {
  view: RefObject<HTMLElement | null>;
  full: boolean;
  /** Null where the browser has no full screen for pages, as on an iPhone. */
  toggle: (() => void) | null;
};

/** Full screen for one element, with its bar: sound and the way out stay in reach. */
export function useFullScreen(): FullScreen {
  const view = useRef<HTMLElement>(null);
  const [full, setFull] = useState(false);
  useEffect(() => {
    const follow = () =>
      setFull(view.current !== null && document.fullscreenElement === view.current);
    document.addEventListener("fullscreenchange", follow);
    return () => document.removeEventListener("fullscreenchange", follow);
  }, []);
  const toggle = () =>
    void (full ? document.exitFullscreen() : view.current?.requestFullscreen())?.catch(
      () => undefined,
    );
  return { view, full, toggle: document.fullscreenEnabled ? toggle : null };
}
