import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isApiError } from "@/lib/api/error";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { toast } from "@/ui/toast";
import { logOut } from "../api";
import { leave } from "../session";

export function LogOutButton({ className = "" }: { className?: string }) {
  const t = useT();
  const client = useQueryClient();
  const out = useMutation({
    mutationFn: logOut,
    onSuccess: () => leave(client, false),
    onError: (error) => {
      // A session that is over needs no ending.
      if (!isApiError(error, "session.required")) toast(errorText(error, t), "bad");
    },
  });
  return (
    <Button
      size="sm"
      variant="quiet"
      busy={out.isPending}
      onClick={() => out.mutate()}
      className={className}
    >
      <Icon name="logOut" />
      {t("logout.action")}
    </Button>
  );
}
