import { useQuery } from "@tanstack/react-query";
import type { AppDownload } from "@/lib/api/types";
import { type Key, useLang, useLanguageTag, useT } from "@/lib/i18n/i18n";
import { useInstall } from "@/lib/install";
import { Button, buttonClass } from "@/ui/button";
import { DownloadIcon } from "@/ui/download-icon";
import { Icon } from "@/ui/icon";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import QrCode from "@/ui/qr-code";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { downloadsQuery } from "../api";
import { codeTarget, sizeText } from "../model";

const grid = "grid grid-cols-1 gap-5 lg:grid-cols-3";

/** The site as an app: for Android, for iPhone and iPad, and a light one. */
export default function DownloadPage() {
  const t = useT();
  const lang = useLang();
  const { data, error, refetch } = useQuery(downloadsQuery(lang));
  return (
    <div className="grid grid-cols-1 gap-10">
      <header className="grid gap-3">
        <h1 className="display text-[min(1.875rem,8vw)] text-balance sm:text-4xl">
          {t("down.title")}
        </h1>
        <p className="max-w-[62ch] text-lg">{t("down.lead")}</p>
      </header>
      {!data && !error && <WaysSkeleton />}
      {error && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState title={t("down.none")} text={t("down.none_text")} />}
      {data && data.length > 0 && (
        <ul className={grid}>
          {data.map((way) => (
            <Way key={way.kind} way={way} />
          ))}
        </ul>
      )}
      <Guide />
    </div>
  );
}

const about: Readonly<Record<AppDownload["kind"], Key>> = {
  ANDROID: "down.android_text",
  IOS: "down.ios_text",
  IOS_LITE: "down.lite_text",
};

function Way({ way }: { way: AppDownload }) {
  const t = useT();
  const { kind, name, url } = way;
  const isSite = kind === "ANDROID" && !url;
  return (
    <li className="leaf-lg grid min-h-72 grid-rows-[1fr_auto] gap-5 border border-line bg-surface p-5">
      <div className="flex items-start justify-between gap-4">
        <div className="grid min-w-0 content-start gap-2">
          <h2 data-name className="display text-xl text-balance">
            {name}
          </h2>
          <p className="text-muted">{t(isSite ? "down.site_text" : about[kind])}</p>
          <Facts way={way} />
        </div>
        <QrCode
          text={codeTarget(way, location.origin)}
          label={t("down.code")}
          className="size-20 shrink-0"
        />
      </div>
      {isSite ? (
        <InstallButton />
      ) : (
        url && (
          <a href={url} className={buttonClass()} {...(kind === "ANDROID" && { download: "" })}>
            {kind === "ANDROID" && <DownloadIcon />}
            {t("down.get")}
          </a>
        )
      )}
    </li>
  );
}

function Facts({ way: { version, bytes } }: { way: AppDownload }) {
  const t = useT();
  const tag = useLanguageTag();
  if (!version && !bytes) return null;
  return (
    <p className="flex flex-wrap gap-x-4 text-sm text-muted">
      {version && <span>{t("down.version", version)}</span>}
      {!!bytes && <span className="tabular-nums">{sizeText(bytes, tag)}</span>}
    </p>
  );
}

/** Installs the site itself. Where the browser makes no offer, it says how it is done by hand. */
function InstallButton() {
  const t = useT();
  const install = useInstall();
  const run = async () => {
    if (!install) toast(t("down.by_hand"), "info");
    else if (await install()) toast(t("down.installed"), "good");
  };
  return <Button onClick={() => void run()}>{t("down.install")}</Button>;
}

const steps = {
  android: ["down.android_1", "down.android_2", "down.android_3"],
  ios: ["down.ios_1", "down.ios_2", "down.ios_3", "down.ios_4"],
} as const satisfies Record<string, readonly Key[]>;

function Guide() {
  const t = useT();
  return (
    <section aria-labelledby="guide" className="grid grid-cols-1 gap-6">
      <h2 id="guide" className="display text-2xl">
        {t("down.guide")}
      </h2>
      <div className="grid grid-cols-1 gap-8 md:grid-cols-2">
        <Steps title={t("down.on_android")} steps={steps.android} />
        <Steps title={t("down.on_ios")} steps={steps.ios} />
      </div>
      <ul className="grid gap-3">
        <Note text={t("down.safari")} />
        <Note text={t("down.ios17")} />
        <Note text={t("down.never")} />
      </ul>
    </section>
  );
}

function Steps({ title, steps }: { title: string; steps: readonly Key[] }) {
  const t = useT();
  return (
    <div className="grid content-start gap-3">
      <h3 className="text-lg font-semibold">{title}</h3>
      <ol className="grid gap-3">
        {steps.map((step, index) => (
          <li key={step} className="flex gap-3 border-t border-line pt-3">
            <span className="figures w-4 shrink-0 text-accent-text">{index + 1}</span>
            <span className="max-w-[56ch] text-muted">{t(step)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Note({ text }: { text: string }) {
  return (
    <li className="leaf flex items-start gap-3 border border-line p-4">
      <Icon name="info" className="mt-0.5 size-5 shrink-0 text-accent-text" />
      <span className="max-w-[70ch]">{text}</span>
    </li>
  );
}

function WaysSkeleton() {
  return (
    <div className={grid} aria-busy="true">
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
    </div>
  );
}
