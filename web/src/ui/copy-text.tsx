import { Fragment, useState } from "react";

import { useT } from "@/lib/i18n/i18n";
import { IconButton } from "./icon-button";

type CopyTextProps = {
  label: string;
  value: string;
  /** A shorter form for the eye; the whole value is copied. */
  short?: string;
};

/** A long value that breaks anywhere, with a button that copies it. */
export function CopyText({ label, value, short }: CopyTextProps) {
  const t = useT();
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <span className={`flex gap-1 ${short ? "items-center" : "items-start"}`}>
      <code
        title={short && value}
        className={`min-w-0 py-2.5 font-mono text-[0.8125rem] wrap-anywhere ${short ? "whitespace-nowrap" : "grow"}`}
      >
        {short ?? <Broken text={value} />}
      </code>
      <IconButton
        icon={copied ? "check" : "copy"}
        label={t("copy.value", label)}
        onClick={copy}
        onBlur={() => setCopied(false)}
      />
      <span role="status" className="sr-only">
        {copied ? t("copy.done") : ""}
      </span>
    </span>
  );
}

/**
 * Breaks a seed or a hash after every 16 digits only: two of them below each other can be compared by eye. A secret that
 * may be typed stands in groups of four.
 */
function Broken({ text }: { text: string }) {
  if (/^[A-Z2-7]{16,64}$/.test(text)) {
    return text.match(/.{1,4}/g)?.map((group, index) => (
      <span key={index} className="mr-2 inline-block">
        {group}
      </span>
    ));
  }
  if (!/^[0-9a-f]{64}$/i.test(text)) return text;
  return [0, 16, 32, 48].map((from) => (
    <Fragment key={from}>
      {text.slice(from, from + 16)}
      <wbr />
    </Fragment>
  ));
}
