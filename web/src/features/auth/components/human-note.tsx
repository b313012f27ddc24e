import { useEffect, useState } from "react";
import type { Key } from "@/lib/i18n/i18n";
import { useT } from "@/lib/i18n/i18n";

type Props = {
  busy: boolean;
  /** Whether the browser proves something first. */
  proves?: boolean;
};

/** Says what the page is busy with, once it takes longer than a blink, and that it goes on, once it takes long. */
export function HumanNote({ busy, proves = true }: Props) {
  const t = useT();
  const [text, setText] = useState<Key | null>(null);
  useEffect(() => {
    if (!busy) return;
    const timers = [
      setTimeout(() => setText(proves ? "auth.human_check" : null), 400),
      setTimeout(() => setText("auth.takes_long"), 6000),
    ];
    return () => {
      for (const timer of timers) clearTimeout(timer);
      setText(null);
    };
  }, [busy, proves]);
  return (
    <p role="status" className="text-center text-sm text-muted empty:hidden">
      {text && t(text)}
    </p>
  );
}
