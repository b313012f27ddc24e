import { useState } from "react";
import { loadMessages, t } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { toast } from "@/ui/toast";
import { freePlay } from "./api";
import { useEnter } from "./use-enter";

/** Starts a demo account; resolves to whether the visitor is in. A failure is shown as a toast. */
export function useFreePlay(): { start: (next?: string) => Promise<boolean>; busy: boolean } {
  const enter = useEnter();
  const [busy, setBusy] = useState(false);
  const start = async (next?: string) => {
    setBusy(true);
    try {
      await loadMessages("auth");
      const view = await freePlay();
      await enter("trial", view, { next });
      return true;
    } catch (error) {
      const { errorText } = await loadPart(() => import("@/lib/api/error-text"));
      toast(errorText(error, t), "bad");
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { start, busy };
}
