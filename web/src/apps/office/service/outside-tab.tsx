import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import { ListFault } from "../page-states";
import { useMay } from "../session";
import { type Outside, type OutsideName, outsideQuery } from "./api";
import { outsideWords } from "./outside-words";
import { TryDialog } from "./try-dialog";

/** Services of others that the house uses, each with a way to try it. */
export function OutsideTab() {
  const t = useT();
  const { data, error, refetch } = useQuery(outsideQuery);
  const [tried, setTried] = useState<OutsideName | null>(null);
  if (error && !data) return <ListFault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  return (
    <>
      <p className="max-w-prose pb-3 text-sm text-muted">{t("service.outside_text")}</p>
      <ul className="border-t border-line">
        {data.map((service) => (
          <OutsideRow key={service.name} service={service} onTry={() => setTried(service.name)} />
        ))}
      </ul>
      {tried && <TryDialog name={tried} onClose={() => setTried(null)} />}
    </>
  );
}

function OutsideRow({ service, onTry }: { service: Outside; onTry: () => void }) {
  const t = useT();
  const mayTry = useMay("service.write");
  const { name, isConfigured, place } = service;
  const words = outsideWords[name];
  return (
    <li className="grid items-center gap-x-6 gap-y-2 border-b border-line py-3 sm:grid-cols-[minmax(0,1fr)_12rem_6.5rem]">
      <div>
        <h2 className="font-semibold">{t(words.name)}</h2>
        <p className="text-sm text-muted">{t(isConfigured ? words.text : words.missing)}</p>
      </div>
      <p className="min-w-0 text-sm">
        <span className={isConfigured ? "text-win" : "text-muted"}>
          {t(isConfigured ? "service.configured" : "service.not_configured")}
        </span>
        {place && (
          <span data-name className="block truncate text-muted">
            {place}
          </span>
        )}
      </p>
      {isConfigured && mayTry ? (
        <Button
          size="sm"
          className="justify-self-start"
          onClick={onTry}
          aria-label={t("service.try_one", t(words.name))}
        >
          {t("service.try")}
        </Button>
      ) : null}
    </li>
  );
}
