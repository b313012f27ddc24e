import { useEffect, useRef, useState } from "react";
import { wantsLessMotion } from "./motion";
import { letGo, nextSlide, pull, slide, slideBack, standsFor, wayOfPull, wayTo } from "./slides";
import { useSwipe } from "./use-swipe";

/** Which slide stands, and everything that brings another: time, a choice, a thumb. */
export function useSlides(count: number, halted: boolean) {
  const stage = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(0);
  const [pulling, setPulling] = useState(false);
  // There may be fewer than before.
  const at = Math.min(wanted, count - 1);

  const element = (index: number) => stage.current?.children[index] as HTMLElement;
  const turn = (to: number, way: 1 | -1, from = 0) => {
    if (to === at) return;
    if (!wantsLessMotion()) slide(element(at), element(to), way, from);
    setWanted(to);
  };
  const beside = (share: number) => element(nextSlide(at, share < 0 ? 1 : -1, count));

  const swipe = useSwipe({
    onPull: (share) => {
      setPulling(true);
      for (const other of stage.current?.children ?? []) letGo(other as HTMLElement);
      pull(element(at), beside(share), share);
    },
    onRelease: (share) => {
      setPulling(false);
      letGo(element(at), beside(-1), beside(1));
      const way = wayOfPull(share);
      if (way !== 0) turn(nextSlide(at, way, count), way, share);
      else if (!wantsLessMotion()) slideBack(element(at), beside(share), share);
    },
  });

  const onTime = useRef((_at: number) => {});
  useEffect(() => {
    onTime.current = (from) => turn(nextSlide(from, 1, count), 1);
  });
  useEffect(() => {
    if (halted || pulling) return undefined;
    const timer = setTimeout(() => onTime.current(at), standsFor);
    return () => clearTimeout(timer);
  }, [halted, pulling, at]);

  return { stage, at, swipe, choose: (to: number) => turn(to, wayTo(at, to)) };
}
