import { useState } from "react";

import { useT } from "@/lib/i18n/i18n";
import { IconButton } from "@/ui/icon-button";

/** A long value that breaks anywhere, with a button that copies it. */
export function CopyText({ label, value }: { label: string; value: string }) {
  const t = useT();
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <span className="flex items-start gap-1">
      <code className="min-w-0 grow py-2.5 font-mono text-sm break-all">{value}</code>
      <IconButton
        icon={copied ? "check" : "copy"}
        label={t("fair.copy", label)}
        onClick={copy}
        onBlur={() => setCopied(false)}
      />
      <span role="status" className="sr-only">
        {copied ? t("fair.copied") : ""}
      </span>
    </span>
  );
}
