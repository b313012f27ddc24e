import { useState } from "react";
import { loadMessages, t } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { toast } from "@/ui/toast";
import { freePlay } from "./api";
import { useEnter } from "./use-enter";

/** Starts a demo account, which leads home, or to the game that is tried. A failure is shown as a toast. */
export function useFreePlay(): { start: (game?: string) => Promise<void>; busy: boolean } {
  const enter = useEnter();
  const [busy, setBusy] = useState(false);
  const start = async (game?: string) => {
    setBusy(true);
    try {
      await loadMessages("auth");
      await enter("trial", await freePlay(), { next: game });
    } catch (error) {
      const { errorText } = await loadPart(() => import("@/lib/api/error-text"));
      toast(errorText(error, t), "bad");
    } finally {
      setBusy(false);
    }
  };
  return { start, busy };
}
