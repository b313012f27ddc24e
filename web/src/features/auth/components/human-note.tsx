import { useEffect, useState } from "react";
import { useT } from "@/lib/i18n/i18n";

/** Says what the page is busy with, once it takes longer than a blink. */
export function HumanNote({ busy }: { busy: boolean }) {
  const t = useT();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setSlow(true), 400);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return (
    <p role="status" className="text-center text-sm text-muted empty:hidden">
      {busy && slow && t("auth.human_check")}
    </p>
  );
}
