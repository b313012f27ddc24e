import { type MouseEvent, Suspense, lazy, useState } from "react";
import { useLang, useT } from "@/lib/i18n/i18n";
import { type Lang, languageTag, shippedLanguages } from "@/lib/i18n/languages";
import { loadPart } from "@/lib/lazy";
import { Skeleton } from "@/ui/skeleton";
import { Panel } from "../panel";
import type { Draft, Texts } from "./draft";
import { type KindId, kinds } from "./kinds";

/** What cleans HTML is large: it comes when there is something to clean. */
const SafeHtml = lazy(() =>
  loadPart(async () => ({ default: (await import("@/ui/safe-html")).SafeHtml })),
);

/** A piece as players see it, in both themes. */
export function Preview({ kind, draft }: { kind: KindId; draft: Draft }) {
  const t = useT();
  const ours = useLang();
  const [lang, setLang] = useState<Lang>(ours);
  const texts = draft.texts[lang];
  return (
    <Panel title={t("edit.preview")}>
      <div role="group" aria-label={t("edit.preview_language")} className="flex gap-1">
        {shippedLanguages.map(({ code, name }) => (
          <button
            key={code}
            type="button"
            aria-pressed={code === lang}
            onClick={() => setLang(code)}
            className="min-h-11 border-b-2 border-transparent px-3 text-sm font-semibold text-muted hover:text-ink aria-pressed:border-accent aria-pressed:text-ink"
          >
            <span data-name>{name}</span>
          </button>
        ))}
      </div>
      <div
        lang={languageTag(lang)}
        onClickCapture={stay}
        className="grid gap-3 pt-3 md:grid-cols-2"
      >
        {(["dark", "light"] as const).map((theme) => (
          <div
            key={theme}
            data-theme={theme}
            className="theme leaf min-w-0 border border-line bg-canvas p-4 text-base text-ink"
          >
            {kind === "banner" ? (
              <Banner texts={texts} image={draft.data["image"] ?? ""} />
            ) : (
              <Article kind={kind} texts={texts} image={draft.data["image"] ?? ""} />
            )}
          </div>
        ))}
      </div>
    </Panel>
  );
}

/** The links lead to pages of the site, which the office does not have. */
function stay(event: MouseEvent): void {
  if (!(event.target instanceof Element && event.target.closest("a"))) return;
  event.preventDefault();
  event.stopPropagation();
}

/** As the home page shows it, in the width of a phone. Without a picture the lattice stands behind the words. */
function Banner({ texts, image }: { texts: Texts; image: string }) {
  return (
    <div data-name className="banner leaf-lg">
      {image ? (
        <img
          src={image}
          alt={texts["alt"] ?? ""}
          className="absolute inset-0 size-full object-cover object-right"
        />
      ) : (
        <span className="banner-lattice lattice" aria-hidden="true" />
      )}
      <div className="banner-words">
        <p className="display line-clamp-3 text-2xl text-balance">{texts["title"]}</p>
        <p className="line-clamp-2 text-sm whitespace-pre-line">{texts["text"]}</p>
      </div>
    </div>
  );
}

function Article({ kind, texts, image }: { kind: KindId; texts: Texts; image: string }) {
  const bodies = kinds[kind].texts.filter(({ shape }) => shape === "html");
  return (
    <div className="grid gap-3">
      {image && <img src={image} alt="" className="leaf max-h-40 w-full object-cover" />}
      <p data-name className="display text-xl">
        {texts["title"] ?? texts["name"]}
      </p>
      {texts["summary"] && (
        <p data-name className="whitespace-pre-line text-muted">
          {texts["summary"]}
        </p>
      )}
      {bodies.map(({ name }) => (
        <Suspense key={name} fallback={<Skeleton className="h-24" />}>
          <SafeHtml html={texts[name] ?? ""} />
        </Suspense>
      ))}
    </div>
  );
}
