import { useEffect, useRef, useState } from "react";
import type { NoticeTitle } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { useHiddenTab, useLessMotion } from "../motion";
import { useHalt } from "../use-halt";
import { PauseButton } from "./pause-button";

const pixelsPerSecond = 45;

type MarqueeProps = { notices: readonly NoticeTitle[]; onOpen: () => void };

/** Notices that pass by without end. A press opens the list of them. */
export default function Marquee({ notices, onOpen }: MarqueeProps) {
  const t = useT();
  const less = useLessMotion();
  const hidden = useHiddenTab();
  const [paused, setPaused] = useState(false);
  const { halted, handlers } = useHalt();
  const track = usePassing(notices, less, paused || halted || hidden);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        {...handlers}
        className="marquee h-11 min-w-0 grow text-muted hover:text-ink"
      >
        <span className="sr-only">{t("home.notices")}</span>
        <span ref={track} className="marquee-track" data-name="">
          <Titles notices={notices} />
          {!less && <Titles notices={notices} copy />}
        </span>
      </button>
      {!less && (
        <PauseButton
          paused={paused}
          label={t(paused ? "home.notices_go" : "home.notices_pause")}
          onToggle={() => setPaused(!paused)}
          className="text-muted hover:text-ink"
        />
      )}
    </>
  );
}

/** The second time is for the eye alone: it follows the end of the first. */
function Titles({ notices, copy }: { notices: readonly NoticeTitle[]; copy?: boolean }) {
  return (
    <span className="marquee-titles" aria-hidden={copy}>
      {notices.map(({ id, title }) => (
        <span key={id}>{title}</span>
      ))}
    </span>
  );
}

/** Moves the track by the width of its first half, again and again. */
function usePassing(notices: readonly NoticeTitle[], less: boolean, stands: boolean) {
  const track = useRef<HTMLSpanElement>(null);
  const [passing, setPassing] = useState<Animation | null>(null);
  const titles = notices.map(({ title }) => title).join();
  useEffect(() => {
    const first = track.current?.firstElementChild;
    if (less || !titles || !track.current || !first) return undefined;
    const width = first.getBoundingClientRect().width;
    const moves = { translate: ["0 0", `${-width}px 0`] };
    const duration = (width / pixelsPerSecond) * 1000;
    const animation = track.current.animate(moves, { duration, iterations: Infinity });
    setPassing(animation);
    return () => animation.cancel();
  }, [titles, less]);
  useEffect(() => {
    if (stands) passing?.pause();
    else if (passing?.playState === "paused") passing.play();
  }, [passing, stands]);
  return track;
}
