import { useState } from "react";
import { errorText } from "@/lib/api/error-text";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { toast } from "@/ui/toast";
import { freePlay } from "./api";
import { useEnter } from "./enter";

/** Starts a demo account; resolves to whether the visitor is in. A failure is shown as a toast. */
export function useFreePlay(): { start: (next?: string) => Promise<boolean>; busy: boolean } {
  const t = useT();
  const enter = useEnter();
  const [busy, setBusy] = useState(false);
  const start = async (next?: string) => {
    setBusy(true);
    try {
      const [view] = await Promise.all([freePlay(), loadMessages("auth")]);
      await enter("trial", view, { next });
      return true;
    } catch (error) {
      toast(errorText(error, t), "bad");
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { start, busy };
}
