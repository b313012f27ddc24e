import { useInfiniteQuery } from "@tanstack/react-query";
import { getBoot } from "@/lib/boot/boot";
import { browserName } from "@/lib/browser-name";
import { type Key, type Translate, useT } from "@/lib/i18n/i18n";
import { clockText } from "@/lib/time";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import { type LoginEntry, loginsQuery } from "../api";
import { ListFault, Panel } from "./panel";

const methods: Readonly<Record<string, Key>> = {
  register: "security.by_register",
  username: "security.by_username",
  sms: "security.by_sms",
  social: "security.by_social",
  phone: "security.by_sms",
  recovery: "security.by_recovery",
};

const factors: Readonly<Record<string, Key>> = {
  app: "security.with_app",
  recovery: "security.with_recovery",
};

/** How somebody came in, the second step included. */
function wayText({ method, factor }: LoginEntry, t: Translate): string {
  const way = t(methods[method] ?? "security.by_other");
  const key = factors[factor ?? ""];
  return key ? t(key, way) : way;
}

/** When and from where the account was entered. */
export function LoginsPanel() {
  const t = useT();
  const query = useInfiniteQuery(loginsQuery);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const entries = data?.pages.flatMap(({ logins }) => logins) ?? [];
  return (
    <Panel title={t("security.logins")}>
      <p className="text-muted">{t("security.logins_text")}</p>
      {error && !data && <ListFault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-24" />}
      {data && entries.length === 0 && <p>{t("security.logins_none")}</p>}
      {entries.length > 0 && (
        <ul>
          {entries.map((entry) => (
            <LoginRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("security.more")}
        </Button>
      )}
    </Panel>
  );
}

function LoginRow({ entry }: { entry: LoginEntry }) {
  const t = useT();
  const at = clockText(new Date(entry.at), getBoot().merchant.timeZone);
  const browser = browserName(entry.userAgent) || t("security.unknown_browser");
  return (
    <li className="grid min-h-14 content-center border-line py-2 not-last:border-b">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="figures">{at}</span>
        <span className="text-sm text-muted">{wayText(entry, t)}</span>
      </p>
      <p className="text-sm text-muted" data-name>
        {[browser, entry.address].filter(Boolean).join(" · ")}
      </p>
    </li>
  );
}
