import { type MouseEvent, type PointerEvent, useRef } from "react";

/** Less than this is a press that trembled. */
const trembling = 8;

type Pull = { id: number; from: number; share: number; isPulling: boolean };

type Swipe = {
  /** The thumb has moved this far, as a share of the width. */
  onPull: (share: number) => void;
  onRelease: (share: number) => void;
};

/** Follows a thumb that moves sideways. Up and down stays the page's business. */
export function useSwipe({ onPull, onRelease }: Swipe) {
  const pulled = useRef<Pull | null>(null);
  const swallow = useRef(false);

  const move = (event: PointerEvent<HTMLElement>) => {
    const pull = pulled.current;
    if (pull?.id !== event.pointerId) return;
    const distance = event.clientX - pull.from;
    if (!pull.isPulling && Math.abs(distance) < trembling) return;
    if (!pull.isPulling) event.currentTarget.setPointerCapture(event.pointerId);
    pull.isPulling = true;
    const share = distance / event.currentTarget.clientWidth;
    pull.share = Math.max(-1, Math.min(1, share));
    onPull(pull.share);
  };
  const end = (event: PointerEvent) => {
    const pull = pulled.current;
    if (pull?.id !== event.pointerId) return;
    pulled.current = null;
    if (!pull.isPulling) return;
    swallow.current = event.type === "pointerup";
    onRelease(event.type === "pointerup" ? pull.share : 0);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      swallow.current = false;
      if (event.pointerType === "mouse" || pulled.current) return;
      pulled.current = { id: event.pointerId, from: event.clientX, share: 0, isPulling: false };
    },
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
    // The press that ends a pull is none.
    onClickCapture: (event: MouseEvent) => {
      if (!swallow.current) return;
      swallow.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
