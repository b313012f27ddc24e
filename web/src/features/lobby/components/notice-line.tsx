import { Suspense, lazy } from "react";
import { getBoot } from "@/lib/boot/boot";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { SiteClock } from "./site-clock";

const Marquee = lazy(async () => {
  const [part] = await Promise.all([
    loadPart(() => import("./marquee")),
    loadPart(() => loadMessages("home")),
  ]);
  return part;
});

/** The clock and the latest notices. The first one stands in the document; what moves them comes later. */
export function NoticeLine({ onOpen }: { onOpen: () => void }) {
  const t = useT();
  const notices = getBoot().notices ?? [];
  const [first] = notices;
  const still = (
    <p className="grow truncate text-muted" data-name={first && ""}>
      {first?.title ?? t("home.notice")}
    </p>
  );
  return (
    <div className="flex h-12 items-center gap-x-4 border-y border-line text-sm">
      <SiteClock />
      {first ? (
        <Suspense fallback={still}>
          <Marquee notices={notices} onOpen={onOpen} />
        </Suspense>
      ) : (
        still
      )}
    </div>
  );
}
