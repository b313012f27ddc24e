import { useState } from "react";
import type { Banner } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { useHiddenTab, useLessMotion } from "../motion";
import { useHalt } from "../use-halt";
import { useSlides } from "../use-slides";
import { BannerSlide } from "./banner-slide";
import { PauseButton } from "./pause-button";

/** The banners one after the other. They stand still for whoever points at them, reads them or wants no motion. */
export default function Carousel({ banners }: { banners: readonly Banner[] }) {
  const t = useT();
  const less = useLessMotion();
  const hidden = useHiddenTab();
  const [paused, setPaused] = useState(false);
  const { halted, handlers } = useHalt();
  const stands = paused || less;
  const { stage, at, swipe, choose } = useSlides(banners.length, stands || halted || hidden);
  return (
    <section
      aria-roledescription={t("home.banners_kind")}
      aria-label={t("home.banners")}
      {...handlers}
    >
      <div ref={stage} className="slides" aria-live={stands ? "polite" : "off"} {...swipe}>
        {banners.map((banner, index) => (
          <div
            key={banner.id}
            role="group"
            aria-roledescription={t("home.banner_kind")}
            aria-label={t("home.banner_of", index + 1, banners.length)}
            data-current={index === at || undefined}
            inert={index !== at}
            className="slide"
          >
            <BannerSlide banner={banner} first={index === 0} />
          </div>
        ))}
      </div>
      <div className="banner-controls">
        {banners.map((banner, index) => (
          <button
            key={banner.id}
            type="button"
            aria-label={t("home.banner_show", index + 1)}
            aria-current={index === at || undefined}
            onClick={() => choose(index)}
            className="page-dot"
          />
        ))}
        {!less && (
          <PauseButton
            paused={paused}
            label={t(paused ? "home.banners_go" : "home.banners_pause")}
            onToggle={() => setPaused(!paused)}
            className="ml-auto"
          />
        )}
      </div>
    </section>
  );
}
