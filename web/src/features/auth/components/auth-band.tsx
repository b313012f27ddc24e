import { Suspense, lazy } from "react";
import type { BannerGroup } from "@/lib/banners";
import { loadPart } from "@/lib/lazy";
import { PopupBand } from "@/ui/popup-band";

const BandBanner = lazy(() => loadPart(() => import("./band-banner")));

type Props = { group: Extract<BannerGroup, "w_login" | "w_register" | "w_forgot"> };

/** The banner at the head of a popup. The strip of panes keeps its place until it is there. */
export function AuthBand({ group }: Props) {
  return (
    <Suspense fallback={<PopupBand />}>
      <BandBanner group={group} />
    </Suspense>
  );
}
