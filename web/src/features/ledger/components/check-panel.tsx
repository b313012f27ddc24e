import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { balanceQuery } from "@/features/wallet/api";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { saveFile } from "@/lib/save-file";
import { Button } from "@/ui/button";
import { DownloadIcon } from "@/ui/download-icon";
import { Icon } from "@/ui/icon";
import { toast } from "@/ui/toast";

import { loadAfter } from "../api";
import { checkRecord, loadRecord, recordFile } from "../record";
import { CheckResult } from "./check-result";
import { Panel } from "./panel";

type Loaded = { loaded: number; of: number };

/** Checks the whole record in this browser, or saves it to a file for another program to check. */
export function CheckPanel() {
  const t = useT();
  const client = useQueryClient();
  const [progress, setProgress] = useState<Loaded | null>(null);
  const onProgress = (loaded: number, of: number) => setProgress({ loaded, of });
  const onSettled = () => setProgress(null);
  const loadBalance = () => client.fetchQuery({ ...balanceQuery, staleTime: 0 });
  const check = useMutation({
    mutationFn: () => checkRecord(loadAfter, loadBalance, onProgress),
    onSettled,
  });
  const download = useMutation({
    mutationFn: async () => {
      const file = recordFile(await loadRecord(loadAfter, onProgress));
      saveFile(file, `${getBoot().merchant.code}-record.json`);
    },
    onError: (error) => toast(errorText(error, t), "bad"),
    onSettled,
  });
  const busy = check.isPending || download.isPending;
  return (
    <Panel id="check" title={t("ledger.check")} text={t("ledger.check_text")}>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="main"
          busy={check.isPending}
          onClick={() => {
            if (!busy) check.mutate();
          }}
        >
          {t("ledger.check_go")}
        </Button>
        <Button
          busy={download.isPending}
          onClick={() => {
            if (!busy) download.mutate();
          }}
        >
          {!download.isPending && <DownloadIcon />}
          {t("ledger.download")}
        </Button>
      </div>
      <p className="text-sm text-muted">{t("ledger.download_text")}</p>
      {progress && <Progress {...progress} />}
      {check.isError && (
        <p role="alert" className="flex items-start gap-2">
          <Icon name="alert" className="mt-0.5 size-5 shrink-0 text-live-text" />
          {faultText(check.error, t)}
        </p>
      )}
      {check.data && !check.isPending && <CheckResult judgement={check.data} />}
    </Panel>
  );
}

function Progress({ loaded, of }: Loaded) {
  const t = useT();
  const text = t("ledger.checking", loaded, of);
  return (
    <label className="grid gap-1.5 text-sm text-muted">
      {text}
      <progress value={loaded} max={Math.max(of, 1)} className="h-2 w-full accent-accent" />
    </label>
  );
}

/** What is no refusal of the server is a browser that does not calculate: it does so over https only. */
function faultText(error: Error, t: Translate): string {
  return isApiError(error) ? errorText(error, t) : t("ledger.no_crypto");
}
