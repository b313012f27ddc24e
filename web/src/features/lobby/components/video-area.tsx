import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Banner } from "@/lib/boot/boot";
import { useLang, useT } from "@/lib/i18n/i18n";
import { bannersQuery } from "../api";
import { videoFrame } from "../video";

/** The frame keeps the origin of its service, which is never ours: a player does not start without. */
const allowed = "allow-scripts allow-same-origin allow-presentation allow-popups";

/** The videos that staff have chosen. Nothing is loaded from a video service before somebody presses play. */
export function VideoArea() {
  const t = useT();
  const lang = useLang();
  const { data = [] } = useQuery(bannersQuery("w_video", lang));
  const videos = data.flatMap((banner) => {
    const frame = videoFrame(banner.url ?? "", lang);
    return frame ? [{ banner, frame }] : [];
  });
  const refused = data
    .filter(({ url }) => videoFrame(url ?? "", lang) === null)
    .map(({ id }) => id);
  useRefused(refused.join(", "));
  if (videos.length === 0) return null;
  return (
    <section aria-labelledby="videos" className="grid gap-4">
      <h2 id="videos" className="display text-xl">
        {t("home.videos")}
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2">
        {videos.map(({ banner, frame }) => (
          <li key={banner.id}>
            <Video banner={banner} frame={frame} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Staff should find out why a video of theirs is not there. */
function useRefused(refused: string): void {
  useEffect(() => {
    if (!refused) return;
    // oxlint-disable-next-line eslint/no-console -- it is meant for whoever looks for the reason
    console.error(`not embedded, because no video service stands behind it: ${refused}`);
  }, [refused]);
}

function Video({ banner, frame }: { banner: Banner; frame: string }) {
  const t = useT();
  const [playing, setPlaying] = useState(false);
  if (playing) {
    return (
      <iframe
        src={frame}
        title={banner.title}
        allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
        allowFullScreen
        sandbox={allowed}
        referrerPolicy="strict-origin-when-cross-origin"
        className="video leaf-lg"
        data-name=""
      />
    );
  }
  return (
    <button
      type="button"
      onClick={() => setPlaying(true)}
      aria-label={t("home.video_play", banner.title)}
      className="video leaf-lg group"
    >
      {banner.image ? (
        <img src={banner.image} alt="" loading="lazy" className="size-full object-cover" />
      ) : (
        <span className="banner-lattice lattice lattice-right" aria-hidden="true" />
      )}
      <svg viewBox="0 0 64 64" className="video-sign group-hover:scale-105" aria-hidden="true">
        <path d="M4 4h40q16 0 16 16v40H20Q4 60 4 44z" className="fill-accent" />
        <path d="M25 19v26l22-13z" className="fill-on-accent" />
      </svg>
      <span className="tile-foot absolute inset-x-0 bottom-0 p-4 pt-10 text-left" data-name="">
        {banner.title}
      </span>
    </button>
  );
}
