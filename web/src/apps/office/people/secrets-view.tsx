import { Suspense, lazy, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button } from "@/ui/button";
import { CopyText } from "@/ui/copy-text";
import { useLateFocus } from "@/ui/dialog";
import { useHold } from "@/ui/popup-hold";
import { Skeleton } from "@/ui/skeleton";
import type { Secrets } from "../api";
import { Confirm } from "../confirm";
import { useUnsaved } from "../unsaved";

const QrCode = lazy(() => loadPart(() => import("@/ui/qr-code")));

type SecretsViewProps = { username: string; secrets: Secrets; onDone: () => void };

/** What somebody needs to log in. It is shown this once and kept nowhere, and does not go by one Esc. */
export function SecretsView({ username, secrets, onDone }: SecretsViewProps) {
  const t = useT();
  const ref = useLateFocus<HTMLDivElement>();
  const [asks, setAsks] = useState(false);
  useHold(async () => setAsks(true));
  useUnsaved({ isThere: () => true, isShownOnce: true });
  return (
    <div ref={ref} className="grid gap-4">
      <p className="leaf border border-accent p-3 text-sm">{t("office.secrets_once")}</p>
      <Suspense fallback={<Skeleton className="size-48 justify-self-center" />}>
        <QrCode text={secrets.url} label={t("office.secrets_qr")} />
      </Suspense>
      <p className="text-sm text-muted">{t("office.secrets_scan")}</p>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4">
        <dt className="text-sm text-muted">{t("office.username")}</dt>
        <dd>
          <CopyText label={t("office.username")} value={username} />
        </dd>
        <dt className="text-sm text-muted">{t("office.password")}</dt>
        <dd>
          <CopyText label={t("office.password")} value={secrets.password} />
        </dd>
        <dt className="text-sm text-muted">{t("office.secret")}</dt>
        <dd>
          <CopyText label={t("office.secret")} value={secrets.secret} />
        </dd>
      </dl>
      <p className="text-sm">{t("office.secrets_first")}</p>
      <Button data-autofocus variant="main" onClick={onDone}>
        {t("office.secrets_done")}
      </Button>
      {asks && (
        <Confirm
          title="office.secrets_leave"
          text="office.secrets_leave_text"
          action="office.secrets_done"
          onClose={() => setAsks(false)}
          onConfirm={onDone}
        />
      )}
    </div>
  );
}
