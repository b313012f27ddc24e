import type { ReactNode } from "react";
import type { Banner } from "@/lib/boot/boot";
import { bannerTarget } from "../banner-link";
import { PathLink } from "./path-link";

/** One banner: picture or lattice, words over it, and the whole of it a link. */
export function BannerSlide({ banner, first = false }: { banner: Banner; first?: boolean }) {
  const { title, text, image, alt } = banner;
  return (
    <BannerFrame banner={banner}>
      {image ? (
        <img
          src={image}
          alt={alt}
          width="1600"
          height="600"
          draggable={false}
          fetchPriority={first ? "high" : "low"}
          className="absolute inset-0 size-full object-cover object-right"
        />
      ) : (
        <span className="banner-lattice lattice lattice-right" aria-hidden="true" />
      )}
      <span className="banner-words">
        <span className="banner-title display line-clamp-3 text-balance">{title}</span>
        {text && <span className="line-clamp-2 text-sm sm:text-base">{text}</span>}
      </span>
    </BannerFrame>
  );
}

function BannerFrame({ banner, children }: { banner: Banner; children: ReactNode }) {
  const target = bannerTarget(banner);
  if (!target) {
    return (
      <div className="banner" data-name="">
        {children}
      </div>
    );
  }
  const link = { className: "banner", "data-name": "", href: target.href, draggable: false };
  if (target.isOurs) return <PathLink {...link}>{children}</PathLink>;
  return (
    <a {...link} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
