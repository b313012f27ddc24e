import { Suspense, lazy } from "react";
import { type Banner, getBoot } from "@/lib/boot/boot";
import { type Translate, loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { BannerSlide } from "./banner-slide";

const Carousel = lazy(async () => {
  const [part] = await Promise.all([
    loadPart(() => import("./carousel")),
    loadPart(() => loadMessages("home")),
  ]);
  return part;
});

/** The banners of the home page. The first one stands in the document; what turns them comes later. */
export function Banners() {
  const t = useT();
  const { banners = [] } = getBoot();
  const still = <BannerSlide banner={banners[0] ?? ownBanner(t)} first />;
  return (
    <div className="banners leaf-lg">
      {banners.length <= 1 ? (
        still
      ) : (
        <Suspense fallback={still}>
          <Carousel banners={banners} />
        </Suspense>
      )}
    </div>
  );
}

/** A merchant who shows none still has something to say there, and the page keeps its shape. */
function ownBanner(t: Translate): Banner {
  return {
    id: "own",
    groupName: "w_home",
    title: getBoot().merchant.name,
    text: t("home.notice"),
    image: null,
    alt: "",
    url: "/fairness",
    linkageType: "ROUTE",
  };
}
