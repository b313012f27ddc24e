import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { browserName } from "@/lib/browser-name";
import { type Key, useT } from "@/lib/i18n/i18n";
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
  const ref = useRef<HTMLElement>(null);
  /** What was pressed goes with what it has ended. */
  const keepFocus = () => {
    if (ref.current?.contains(document.activeElement)) ref.current.focus();
  };
  return (
    <Panel ref={ref} title={t("security.devices")}>
      <p className="text-muted">{t("security.devices_text")}</p>
      {error && !data && <ListFault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-24" />}
      {data && (
        <ul>
          {data.map((device) => (
            <DeviceRow key={device.id} device={device} onEnded={keepFocus} />
          ))}
        </ul>
      )}
      {data && data.length > 1 && <EndOthers onEnded={keepFocus} />}
    </Panel>
  );
}

type Ending = {
  end: () => Promise<unknown>;
  question: Omit<ConfirmProps, "resolve">;
  done: Key;
  /** Called before the list is fetched anew. */
  onEnded: () => void;
};

/** Ends sessions once the member is sure; then the list is fetched anew: what cannot be ended may have ended already. */
function useEnding({ end, question, done, onEnded }: Ending) {
  const t = useT();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: end,
    onSuccess: () => toast(t(done), "good"),
    onError: (error) => toast(errorText(error, t), "bad"),
    onSettled: () => {
      onEnded();
      return client.invalidateQueries({ queryKey: devicesQuery.queryKey });
    },
  });
  const ask = async () => {
    if (await askConfirm(question)) mutate();
  };
  return { ask, isPending };
}

function EndOthers({ onEnded }: Pick<Ending, "onEnded">) {
  const t = useT();
  const { ask, isPending } = useEnding({
    end: endOtherDevices,
    question: {
      title: "security.end_others_title",
      text: "security.end_others_text",
      action: "security.end_others",
    },
    done: "security.others_ended",
    onEnded,
  });
  return (
    <Button className="justify-self-start" busy={isPending} onClick={() => void ask()}>
      {t("security.end_others")}
    </Button>
  );
}

function DeviceRow({ device, onEnded }: { device: Device } & Pick<Ending, "onEnded">) {
  const t = useT();
  const { ask, isPending } = useEnding({
    end: () => endDevice(device.id),
    question: {
      title: "security.end_title",
      text: "security.end_text",
      action: "security.end",
    },
    done: "security.ended",
    onEnded,
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
