import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { saveFile } from "@/lib/save-file";
import { Button } from "@/ui/button";
import { DownloadIcon } from "@/ui/download-icon";
import { toast } from "@/ui/toast";

import { roundsFile } from "../file";
import { loadRounds } from "../rounds";

/** Saves the member's rounds as a file for the checker on their own computer. */
export function SaveRounds() {
  const t = useT();
  const [count, setCount] = useState(0);
  const load = useMutation({
    mutationFn: () => loadRounds(setCount),
    onSuccess: (rounds) => saveFile(roundsFile(rounds), `${getBoot().merchant.code}-rounds.json`),
    onError: (error) => toast(errorText(error, t), "bad"),
  });
  return (
    <div className="grid justify-items-start gap-1">
      <Button size="sm" busy={load.isPending} onClick={() => load.mutate()}>
        {!load.isPending && <DownloadIcon />}
        {t("fair.save_rounds")}
      </Button>
      <p role="status" className="text-sm text-muted">
        {load.isPending ? t("fair.saving_rounds", count) : ""}
      </p>
    </div>
  );
}
