import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { SiteClock } from "@/features/lobby/components/site-clock";
import { api, unwrap } from "@/lib/api/client";
import { type Boot, type SiteStatus, getBoot, setBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { pushed } from "@/lib/push/apply";
import { Button, buttonClass } from "@/ui/button";
import { ClosedPage } from "./closed-page";
import { LanguageSelect } from "./shell/language-select";
import { ThemeToggle } from "./shell/theme-toggle";

const askAgainAfter = 30_000;

/** The boot data: they come with the document, and again whenever the operator has changed a setting. */
export const bootQuery = queryOptions({
  queryKey: pushed.boot,
  queryFn: async ({ signal }): Promise<Boot> => {
    const boot = (await unwrap(api.GET("/wps/system/boot", { signal }))) as unknown as Boot;
    setBoot(boot);
    return boot;
  },
  initialData: getBoot,
  staleTime: Number.POSITIVE_INFINITY,
  // A closed site may also have no push: whoever waits must not miss that it is open again.
  refetchInterval: ({ state }) => (state.data?.status ? askAgainAfter : false),
});

/** Shows the site, the maintenance page or the region page. */
export function SiteGate({ status, children }: { status: SiteStatus; children: ReactNode }) {
  if (status === 1) return <Maintenance />;
  if (status === 2) return <Restricted />;
  return children;
}

function Maintenance() {
  const t = useT();
  return (
    <Closed title="game_maintenance" text="info_maintenance">
      <p className="relative max-w-[46ch] text-muted">{t("closed.wait")}</p>
      <p className="relative flex flex-wrap items-baseline gap-x-3">
        <span className="text-sm text-muted">{t("closed.clock")}</span>
        <SiteClock />
      </p>
    </Closed>
  );
}

function Restricted() {
  const t = useT();
  const { data: address } = useQuery({
    queryKey: ["site", "address"],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET("/wps/system/permission", { signal }))).location.ip,
  });
  return (
    <Closed title="blockip" text="info_ip_block">
      <p className="relative max-w-[46ch] text-muted">{t("closed.mistake")}</p>
      {address && (
        <p className="relative flex flex-wrap items-baseline gap-x-3">
          <span className="text-sm text-muted">{t("closed.address")}</span>
          <span className="figures">{address}</span>
        </p>
      )}
    </Closed>
  );
}

function Closed({ title, text, children }: { title: Key; text: Key; children: ReactNode }) {
  const t = useT();
  const { service } = getBoot().links;
  const controls = (
    <>
      <LanguageSelect />
      <ThemeToggle />
    </>
  );
  return (
    <ClosedPage name={getBoot().merchant.name} title={t(title)} text={t(text)} controls={controls}>
      {children}
      <div className="relative mt-2 flex flex-wrap gap-3">
        <Button variant="main" size="lg" onClick={() => location.reload()}>
          {t("closed.reload")}
        </Button>
        {service && (
          <a href={service} className={buttonClass("plain", "lg")}>
            {t("service")}
          </a>
        )}
      </div>
    </ClosedPage>
  );
}
