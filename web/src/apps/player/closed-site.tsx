import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { SiteClock } from "@/features/lobby/components/site-clock";
import { api, unwrap } from "@/lib/api/client";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button, buttonClass } from "@/ui/button";
import { PopupHost } from "@/ui/popup-host";
import { ClosedPage } from "./closed-page";
import { LanguageSelect } from "./shell/language-select";
import { Service } from "./shell/service";
import { ThemeToggle } from "./shell/theme-toggle";

/** What stands in place of the site: under maintenance (1), or closed to the visitor's region (2). */
export default function ClosedSite({ status }: { status: 1 | 2 }) {
  return status === 1 ? <Maintenance /> : <Restricted />;
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
  const controls = (
    <>
      <LanguageSelect />
      <ThemeToggle />
    </>
  );
  return (
    <>
      <ClosedPage
        name={getBoot().merchant.name}
        title={t(title)}
        text={t(text)}
        controls={controls}
      >
        {children}
        <div className="relative mt-2 flex flex-wrap gap-3">
          <Button variant="main" size="lg" onClick={() => location.reload()}>
            {t("closed.reload")}
          </Button>
          <Service className={buttonClass("plain", "lg")}>{t("service")}</Service>
        </div>
      </ClosedPage>
      <PopupHost />
    </>
  );
}
