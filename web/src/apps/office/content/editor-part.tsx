import { useQuery } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { OfficeLink, useAddress } from "../address";
import { ListFault, PageSkeleton } from "../page-states";
import { useMay } from "../session";
import type { Settings } from "../settings/api";
import { contentQuery } from "./api";
import { Editor } from "./editor";
import { type KindId, kinds } from "./kinds";
import { freeSlots } from "./places";

type EditorPartProps = { settings: Settings; kind: KindId; item: string };

/** One piece: the one that the address names, or a new one. */
export function EditorPart({ settings, kind, item }: EditorPartProps) {
  const t = useT();
  const mayWrite = useMay("content.write");
  const { merchant } = useAddress();
  const rows = useQuery(contentQuery(settings.id, kind));
  const row = rows.data?.find(({ id }) => id === item) ?? null;
  const isNew = item === "new" && mayWrite;
  return (
    <section className="grid min-w-0 gap-4">
      <OfficeLink
        to="/content"
        search={{ merchant, kind }}
        className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
      >
        {t("edit.back", t(kinds[kind].title))}
      </OfficeLink>
      {rows.data && (row || isNew) && (
        <Editor
          settings={settings}
          kind={kind}
          row={row}
          slots={row ? kinds[kind].slots : slotsFor(kind, rows.data)}
          mayWrite={mayWrite}
        />
      )}
      {rows.data && !row && !isNew && <p className="text-muted">{t("edit.gone")}</p>}
      {rows.error && !rows.data && (
        <ListFault error={rows.error} onRetry={() => void rows.refetch()} />
      )}
      {!rows.data && !rows.error && <PageSkeleton />}
    </section>
  );
}

function slotsFor(kind: KindId, rows: Parameters<typeof freeSlots>[1]) {
  return kinds[kind].isOnePerSlot ? freeSlots(kind, rows) : kinds[kind].slots;
}
