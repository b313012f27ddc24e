import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, unwrap } from "@/lib/api/client";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { pushed } from "@/lib/push/apply";
import { Button } from "@/ui/button";
import { Wordmark } from "@/ui/wordmark";

/** Shows the site, the maintenance page or the region page. The server's word comes with the document, then by push. */
export function SiteGate({ children }: { children: ReactNode }) {
  const { data: status } = useQuery({
    queryKey: pushed.status,
    queryFn: async ({ signal }) => (await unwrap(api.GET("/wps/system/status", { signal }))).status,
    initialData: () => getBoot().status as number,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (status === 1) return <Closed title="game_maintenance" text="info_maintenance" />;
  if (status === 2) return <Closed title="blockip" text="info_ip_block" address />;
  return children;
}

function Closed({ title, text, address = false }: { title: Key; text: Key; address?: boolean }) {
  const t = useT();
  return (
    <main className="grid min-h-dvh content-center justify-items-start gap-5 p-6 sm:p-16">
      <Wordmark name={getBoot().merchant.name} />
      <div className="lattice lattice-down h-32 w-full max-w-2xl" aria-hidden="true" />
      <h1 className="display text-4xl">{t(title)}</h1>
      <p className="max-w-prose text-muted">{t(text)}</p>
      {address && <VisitorAddress />}
      <Button variant="main" onClick={() => location.reload()}>
        {t("closed.reload")}
      </Button>
    </main>
  );
}

function VisitorAddress() {
  const t = useT();
  const { data } = useQuery({
    queryKey: ["site", "address"],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET("/wps/system/permission", { signal }))).location.ip,
  });
  return data ? <p className="figures text-lg">{t("closed.address", data)}</p> : null;
}
