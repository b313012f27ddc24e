import { useT } from "@/lib/i18n/i18n";
import { DialogTitle } from "@/ui/dialog";
import { PopularGrid } from "./elsewhere";

/** A game that cannot be started now, and others that can. */
export default function MaintenancePopup({ gameCode }: { gameCode: string; close: () => void }) {
  const t = useT();
  return (
    <div className="popup-wide grid gap-5 p-6">
      <DialogTitle>{t("cat.maintenance_title")}</DialogTitle>
      <p className="text-muted">{t("cat.maintenance_text")}</p>
      <PopularGrid without={gameCode} />
    </div>
  );
}
