import { useQuery } from "@tanstack/react-query";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { OfficeLink, type Search, useAddress, useChangeSearch, useGo } from "../address";
import { timeText, zone } from "../clock";
import { ClearFilter } from "../clear-filter";
import { DatesFilter } from "../dates-filter";
import { Older } from "../older";
import { SelectField } from "../select-field";
import { type Column, DataTable } from "../table/data-table";
import { TextFilter } from "../text-filter";
import { type Message, messagesQuery } from "./api";
import { allChannels, allMessageStates, channelText, messageStateText, purposeText } from "./kinds";
import { MessageDialog } from "./message-dialog";
import { pageSize, queryOf, readFilter } from "./messages-filter";

/** How often an open page looks: whoever waits for a code sees it come. */
const lookEvery = 5_000;

/** Text messages and e-mails, the latest first. What they say is opened one by one. */
export function MessagesTab() {
  const t = useT();
  const go = useGo();
  const address = useAddress();
  const rows = useQuery({ ...messagesQuery(queryOf(address)), refetchInterval: lookEvery });
  const last = rows.data?.length === pageSize ? rows.data.at(-1)?.id : undefined;
  const chosen = rows.data?.find(({ id }) => id === address["message"]);
  return (
    <>
      <MessagesFilter />
      <DataTable
        name="messages"
        label={t("service.messages")}
        columns={columnsOf(t, address)}
        rows={rows.data}
        keyOf={({ id }) => id}
        empty={t("service.messages_none")}
        error={rows.error}
        onRetry={() => void rows.refetch()}
        isStale={rows.isPlaceholderData}
        note={t("office.trail_zone", zone)}
        paging={<Older path="/service" last={last} />}
      />
      {chosen && (
        <MessageDialog
          key={chosen.id}
          message={chosen}
          onClose={() => go("/service", { ...address, message: undefined })}
        />
      )}
    </>
  );
}

function columnsOf(t: Translate, address: Search): readonly Column<Message>[] {
  return [
    {
      id: "purpose",
      label: t("service.purpose"),
      isFixed: true,
      cell: ({ id, purpose }) => (
        <OfficeLink
          to="/service"
          search={{ ...address, message: id }}
          className="row-link inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
        >
          {purposeText(purpose, t)}
        </OfficeLink>
      ),
    },
    {
      id: "channel",
      label: t("service.channel"),
      cell: ({ channel }) => channelText(channel, t),
    },
    {
      id: "to",
      label: t("service.to"),
      cell: ({ to }) => (
        <span data-name className="whitespace-nowrap">
          {to ?? "–"}
        </span>
      ),
    },
    {
      id: "at",
      label: t("service.written_at"),
      cell: ({ createdAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(createdAt)}</span>
      ),
    },
    {
      id: "state",
      label: t("service.message_state"),
      cell: ({ state }) => (
        <span className={state === "failed" ? "font-semibold text-live-text" : undefined}>
          {messageStateText(state, t)}
        </span>
      ),
    },
    { id: "tries", label: t("service.tries"), cell: ({ tries }) => tries },
    {
      id: "error",
      label: t("service.last_error"),
      cell: ({ lastError }) => (
        <span data-name className="line-clamp-2">
          {lastError ?? "–"}
        </span>
      ),
    },
    {
      id: "merchant",
      label: t("service.merchant"),
      isExtra: true,
      cell: ({ merchant }) => <span data-name>{merchant || "–"}</span>,
    },
  ];
}

/** What is looked for: to whom it was sent is not in the address. */
function MessagesFilter() {
  const t = useT();
  const go = useGo();
  const change = useChangeSearch();
  const filter = readFilter(useAddress());
  // Other rows have other pages.
  const set = (part: Partial<typeof filter>) => change({ ...part, before: undefined });
  const isEmpty = Object.values(filter).every((text) => text === "");
  return (
    <search className="grid items-start gap-3 pb-2 min-[23rem]:grid-cols-2 xl:grid-cols-5">
      <TextFilter
        className="max-xl:col-span-full"
        label={t("service.to_whole")}
        autoComplete="off"
        value={filter.to}
        onSettle={(to) => set({ to })}
      />
      <SelectField
        label={t("service.channel")}
        value={filter.channel}
        onChange={(channel) => set({ channel })}
        options={[
          { value: "", label: t("service.channel_any") },
          ...allChannels.map((value) => ({ value, label: channelText(value, t) })),
        ]}
      />
      <SelectField
        label={t("service.message_state")}
        value={filter.state}
        onChange={(state) => set({ state })}
        options={[
          { value: "", label: t("service.state_any") },
          ...allMessageStates.map((value) => ({ value, label: messageStateText(value, t) })),
        ]}
      />
      <DatesFilter value={filter} onChange={set} />
      {!isEmpty && (
        <ClearFilter
          className="self-center justify-self-start"
          onClear={() => go("/service", { tab: "messages" })}
        />
      )}
    </search>
  );
}
