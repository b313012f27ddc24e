import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import type { HelpSection } from "@/lib/api/types";
import { useLang, useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Accordion } from "@/ui/accordion";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Icon } from "@/ui/icon";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import { SafeHtml } from "@/ui/safe-html";
import { Skeleton } from "@/ui/skeleton";
import { helpQuery } from "../api";
import { searchHelp } from "../model";

type Props = { article?: string; close: () => void };

/** The article that the address names. */
function articleInAddress(): string | undefined {
  return new URLSearchParams(location.search).get("article") ?? undefined;
}

/** The help center: sections of articles, and a search through all of them. */
export default function HelpPopup({ article = articleInAddress(), close }: Props) {
  const t = useT();
  const lang = useLang();
  const [asked, setAsked] = useState("");
  const { data, error, refetch } = useQuery(helpQuery(lang));
  return (
    <div className="popup-wide popup-tall grid grid-cols-1 content-start gap-5 p-6">
      <DialogTitle>{t("content.help")}</DialogTitle>
      <search>
        <Field
          data-autofocus
          type="search"
          label={t("content.help_search")}
          placeholder={t("content.help_example")}
          value={asked}
          onChange={(event) => setAsked(event.target.value)}
          end={<Icon name="search" className="pointer-events-none mr-3 size-5 text-muted" />}
        />
      </search>
      {!data && !error && <HelpSkeleton />}
      {error && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {data && <Sections sections={data} asked={asked} article={article} close={close} />}
      <Contact close={close} />
    </div>
  );
}

type SectionsProps = {
  sections: readonly HelpSection[];
  asked: string;
  article: string | undefined;
  close: () => void;
};

function Sections({ sections, asked, article, close }: SectionsProps) {
  const t = useT();
  const found = searchHelp(sections, useDeferredValue(asked));
  const count = found.reduce((sum, { articles }) => sum + articles.length, 0);
  return (
    <div className="grid content-start gap-6">
      <p role="status" className="sr-only">
        {asked.trim() !== "" && t("content.help_found", count)}
      </p>
      {found.length === 0 && (
        <EmptyState title={t("content.help_none")} text={t("content.help_none_text")} />
      )}
      {found.map((section) => (
        <Section key={section.id} section={section} article={article} close={close} />
      ))}
    </div>
  );
}

type SectionProps = { section: HelpSection; article: string | undefined; close: () => void };

function Section({ section: { id, title, articles }, article, close }: SectionProps) {
  const router = useRouter();
  // The address names the article that is open, so that it can be sent to somebody.
  const note = (slug: string) => {
    if (location.pathname === "/help") router.history.replace(`/help?article=${slug}`);
  };
  return (
    <section aria-labelledby={`help-${id}`} className="grid grid-cols-1 gap-2">
      <h3 id={`help-${id}`} data-name className="eyebrow text-sm">
        {title}
      </h3>
      <Accordion
        group="help"
        open={article}
        onOpen={note}
        items={articles.map(({ slug, title, content }) => ({
          id: slug,
          title,
          body: <SafeHtml html={content} onLeave={close} />,
        }))}
      />
    </section>
  );
}

/** Whoever finds no answer writes. */
function Contact({ close }: { close: () => void }) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
      <p className="text-muted">{t("content.help_more")}</p>
      <Button
        onClick={() => {
          close();
          openPopup("feedback", {});
        }}
      >
        {t("content.help_write")}
      </Button>
    </div>
  );
}

function HelpSkeleton() {
  return (
    <div className="grid gap-2" aria-busy="true">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </div>
  );
}
