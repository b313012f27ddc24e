import { useQueryClient } from "@tanstack/react-query";
import { isApiError } from "@/lib/api/error";
import { useT } from "@/lib/i18n/i18n";
import { toast } from "@/ui/toast";
import { settingsKey } from "./api";

/** Does something to the settings and loads them anew; whoever was too late sees how they are by now. */
export function useSave(): (save: () => Promise<unknown>) => Promise<void> {
  const t = useT();
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: settingsKey });
  return async (save) => {
    try {
      await save();
    } catch (error) {
      const isLate = isApiError(error, "site.stale") || isApiError(error, "site.changed_since");
      if (isLate) await reload();
      throw error;
    }
    await reload();
    toast(t("settings.saved"), "good");
  };
}
