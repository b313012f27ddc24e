import type { Key } from "@/lib/i18n/i18n";
import { useT } from "@/lib/i18n/i18n";
import { useAddress } from "../address";
import { PageHead } from "../panel";
import type { Right } from "../rights";
import { may, useMe } from "../session";
import { TabLinks } from "../tab-links";
import { HealthTab } from "./health-tab";
import { JobsTab } from "./jobs-tab";
import { MessagesTab } from "./messages-tab";
import { OutsideTab } from "./outside-tab";

type Tab = "health" | "jobs" | "messages" | "outside";

const tabs: readonly { id: Tab; label: Key; right: Right }[] = [
  { id: "health", label: "service.health", right: "service.read" },
  { id: "jobs", label: "service.jobs", right: "service.read" },
  { id: "messages", label: "service.messages", right: "outbox.read" },
  { id: "outside", label: "service.outside", right: "service.read" },
];

/** How the house runs: health, jobs, messages, outside services. */
export default function ServicePage() {
  const t = useT();
  const me = useMe();
  const { tab } = useAddress();
  const open = tabs.filter(({ right }) => may(me, right));
  const current = open.find(({ id }) => id === tab)?.id ?? open[0]?.id ?? "health";
  return (
    <>
      <PageHead title={t("office.service")} />
      <TabLinks
        label={t("office.service")}
        path="/service"
        tabs={open.map(({ id, label }) => ({ id, label: t(label) }))}
        current={current}
      />
      {current === "health" && <HealthTab />}
      {current === "jobs" && <JobsTab />}
      {current === "messages" && <MessagesTab />}
      {current === "outside" && <OutsideTab />}
    </>
  );
}
