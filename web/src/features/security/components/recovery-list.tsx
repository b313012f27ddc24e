import { useState } from "react";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { askConfirm } from "@/lib/popup/popup";
import { saveFile } from "@/lib/save-file";
import { Button } from "@/ui/button";
import { useLateFocus } from "@/ui/dialog";
import { DownloadIcon } from "@/ui/download-icon";
import { Icon } from "@/ui/icon";
import { useHold } from "@/ui/popup-hold";

const question = {
  title: "security.codes_leave_title",
  text: "security.codes_leave_text",
  action: "security.codes_kept",
} as const;

/** The codes for a lost phone, to be copied or kept in a file: they are shown this once, and do not go by one Esc. */
export function RecoveryList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useT();
  const ref = useLateFocus<HTMLDivElement>();
  const [copied, setCopied] = useState(false);
  const text = codes.join("\n");
  useHold(async () => {
    if (await askConfirm(question)) onDone();
  });
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  const save = () => {
    const file = new Blob([`${text}\n`], { type: "text/plain" });
    saveFile(file, `${getBoot().merchant.code}-recovery-codes.txt`);
  };
  return (
    <div ref={ref} className="grid gap-4">
      <p className="text-muted">{t("security.recovery_text")}</p>
      <ul className="leaf grid gap-2 border border-line bg-canvas p-4 font-mono text-xs sm:text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button data-autofocus onClick={copy}>
          <Icon name={copied ? "check" : "copy"} />
          {t("security.copy_codes")}
        </Button>
        <Button onClick={save}>
          <DownloadIcon />
          {t("security.download_codes")}
        </Button>
      </div>
      <span role="status" className="sr-only">
        {copied ? t("copy.done") : ""}
      </span>
      <Button variant="main" onClick={onDone}>
        {t("security.codes_kept")}
      </Button>
    </div>
  );
}
