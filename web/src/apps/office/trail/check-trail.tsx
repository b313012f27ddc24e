import { useMutation } from "@tanstack/react-query";
import { errorText } from "@/lib/api/error-text";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { type TrailCheck, checkTrail } from "../api";

function verdict({ isWhole, rows, brokenAt }: TrailCheck, t: Translate): string {
  return isWhole ? t("office.trail_whole", rows) : t("office.trail_broken", brokenAt ?? rows + 1);
}

/** Has the server follow the trail from its first row to its last. */
export function CheckTrail() {
  const t = useT();
  const check = useMutation({ mutationFn: checkTrail });
  const isGood = check.data?.isWhole === true;
  return (
    <>
      <p role="status" className="flex items-center gap-2 text-sm empty:hidden">
        {check.data && (
          <>
            <Icon
              name={isGood ? "check" : "alert"}
              className={`size-5 shrink-0 ${isGood ? "text-win" : "text-live-text"}`}
            />
            {verdict(check.data, t)}
          </>
        )}
        {check.error && errorText(check.error, t)}
      </p>
      <Button size="sm" busy={check.isPending} onClick={() => check.mutate()}>
        {t("office.trail_check")}
      </Button>
    </>
  );
}
