import { Suspense, lazy } from "react";
import { type Key, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { buttonClass } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { PathLink } from "./path-link";

const QrCode = lazy(() => loadPart(() => import("@/ui/qr-code")));

const ways: readonly { name: Key; text: Key }[] = [
  { name: "home.app_android", text: "home.app_android_text" },
  { name: "home.app_ios", text: "home.app_ios_text" },
];

/** How the site comes onto a telephone. The code leads there from the screen of a computer. */
export function Downloads() {
  const t = useT();
  const there = `${location.origin}/down`;
  return (
    <section
      aria-labelledby="downloads"
      className="leaf-lg grid gap-6 border border-line bg-surface p-5 sm:p-6 md:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="grid content-start gap-4">
        <div className="grid gap-1.5">
          <h2 id="downloads" className="display text-xl">
            {t("home.app")}
          </h2>
          <p className="max-w-[52ch] text-muted">{t("home.app_text")}</p>
        </div>
        <dl className="grid gap-x-8 gap-y-3 text-sm sm:grid-cols-2">
          {ways.map(({ name, text }) => (
            <div key={name} className="border-t border-line pt-3">
              <dt className="font-semibold">{t(name)}</dt>
              <dd className="text-muted">{t(text)}</dd>
            </div>
          ))}
        </dl>
        <PathLink href="/down" className={buttonClass("plain", "md", "justify-self-start")}>
          {t("home.app_go")}
          <Icon name="right" />
        </PathLink>
      </div>
      <div className="grid content-center justify-items-center gap-2 border-l border-line pl-6 max-md:hidden">
        <div className="size-20">
          <Suspense>
            <QrCode text={there} label={t("home.app_code")} className="size-20" />
          </Suspense>
        </div>
        <p className="max-w-[16ch] text-center text-sm text-muted">{t("home.app_scan")}</p>
      </div>
    </section>
  );
}
