import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { browserName } from "@/lib/browser-name";
import { useT } from "@/lib/i18n/i18n";
import { type ConfirmProps, askConfirm } from "@/lib/popup/popup";
import { clockText } from "@/lib/time";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { type Device, devicesQuery, endDevice, endOtherDevices } from "../api";
import { ListFault, Panel } from "./panel";

/** Where the member is logged in, with a way to end each session. */
export function DevicesPanel() {
  const t = useT();
  const { data, error, refetch } = useQuery(devicesQuery);
  return (
    <Panel title={t("security.devices")}>
      <p className="text-muted">{t("security.devices_text")}</p>
      {error && !data && <ListFault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-24" />}
      {data && (
        <ul>
          {data.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      )}
      {data && data.length > 1 && <EndOthers />}
    </Panel>
  );
}

/** Ends sessions once the member is sure; then the list is fetched anew. */
function useEnding(end: () => Promise<unknown>, question: Omit<ConfirmProps, "resolve">) {
  const t = useT();
  const client = useQueryClient();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: end,
    onSuccess: () => client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
    onError: (error) => toast(errorText(error, t), "bad"),
  });
  /** Resolves to whether they have ended. */
  const ask = async () => {
    if (!(await askConfirm(question))) return false;
    return mutateAsync().then(
      () => true,
      () => false,
    );
  };
  return { ask, isPending };
}

function EndOthers() {
  const t = useT();
  const { ask, isPending } = useEnding(endOtherDevices, {
    title: "security.end_others_title",
    text: "security.end_others_text",
    action: "security.end_others",
  });
  const end = async () => {
    if (await ask()) toast(t("security.others_ended"), "good");
  };
  return (
    <Button className="justify-self-start" busy={isPending} onClick={() => void end()}>
      {t("security.end_others")}
    </Button>
  );
}

function DeviceRow({ device }: { device: Device }) {
  const t = useT();
  const { ask, isPending } = useEnding(() => endDevice(device.id), {
    title: "security.end_title",
    text: "security.end_text",
    action: "security.end",
  });
  const name = browserName(device.userAgent) || t("security.unknown_browser");
  const seen = clockText(new Date(device.seenAt), getBoot().merchant.timeZone);
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-line py-2 not-last:border-b">
      <div className="min-w-40 grow">
        <p className="font-semibold" data-name>
          {name}
        </p>
        <p className="text-sm text-muted">{t("security.seen", seen, device.address ?? "–")}</p>
      </div>
      {device.isCurrent ? (
        <span className="text-sm text-win">{t("security.this_device")}</span>
      ) : (
        <Button size="sm" busy={isPending} onClick={() => void ask()}>
          {t("security.end")}
        </Button>
      )}
    </li>
  );
}
