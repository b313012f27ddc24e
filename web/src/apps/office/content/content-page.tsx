import { useQuery } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { OfficeLink, useAddress, useGo } from "../address";
import { ListFault, PageSkeleton } from "../page-states";
import { PageHead } from "../panel";
import { SelectField } from "../select-field";
import { type MerchantRow, merchantsQuery, settingsQuery } from "../settings/api";
import { chosenOf } from "../settings/tabs";
import { ContentList } from "./content-list";
import { EditorPart } from "./editor-part";
import { type KindId, kindIds, kindOf, kinds } from "./kinds";

/** What staff write for the sites: kinds at the left, the pieces of one of them, or one piece. */
export default function ContentPage() {
  const t = useT();
  const address = useAddress();
  const { data: merchants, error, refetch } = useQuery(merchantsQuery);
  const chosen = chosenOf(merchants ?? [], address);
  return (
    <>
      <PageHead title={t("office.content")}>
        {merchants && merchants.length > 1 && chosen && (
          <MerchantSelect merchants={merchants} chosen={chosen} />
        )}
      </PageHead>
      {error && !merchants && <ListFault error={error} onRetry={() => void refetch()} />}
      {chosen && (
        <div className="grid grid-cols-1 items-start gap-x-6 gap-y-4 lg:grid-cols-[12rem_minmax(0,1fr)]">
          <KindNav current={kindOf(address["kind"])} />
          <OfMerchant key={chosen.id} merchant={chosen} kind={kindOf(address["kind"])} />
        </div>
      )}
      {!chosen && !error && <PageSkeleton />}
    </>
  );
}

function MerchantSelect({ merchants, chosen }: { merchants: MerchantRow[]; chosen: MerchantRow }) {
  const t = useT();
  const go = useGo();
  const { kind } = useAddress();
  return (
    <select
      aria-label={t("settings.merchant")}
      value={chosen.code}
      onChange={({ target }) => go("/content", { merchant: target.value, kind })}
      // Beside the heading on phones, too, however long the names are: it comes later than what is below.
      className="select leaf min-h-11 border border-line-strong bg-canvas pl-3 max-sm:w-30"
    >
      {merchants.map(({ code, name }) => (
        <option data-name key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A list on wide screens, a choice on phones. */
function KindNav({ current }: { current: KindId }) {
  const t = useT();
  const go = useGo();
  const { merchant } = useAddress();
  return (
    <>
      <nav aria-label={t("edit.kinds")} className="max-lg:hidden">
        <ul className="grid gap-0.5 border-l border-line">
          {kindIds.map((kind) => (
            <li key={kind}>
              <OfficeLink
                to="/content"
                search={{ merchant, kind }}
                aria-current={kind === current ? "page" : undefined}
                className="-ml-px flex min-h-11 items-center border-l-2 border-transparent px-3 text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-ink"
              >
                {t(kinds[kind].title)}
              </OfficeLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="lg:hidden">
        <SelectField
          label={t("edit.kinds")}
          value={current}
          onChange={(kind) => go("/content", { merchant, kind })}
          options={kindIds.map((kind) => ({ value: kind, label: t(kinds[kind].title) }))}
        />
      </div>
    </>
  );
}

function OfMerchant({ merchant, kind }: { merchant: MerchantRow; kind: KindId }) {
  const { item } = useAddress();
  const { data, error, refetch } = useQuery(settingsQuery(merchant.id));
  if (data && item) {
    return <EditorPart key={`${kind} ${item}`} settings={data} kind={kind} item={item} />;
  }
  if (data) return <ContentList key={kind} settings={data} kind={kind} />;
  if (error) return <ListFault error={error} onRetry={() => void refetch()} />;
  return <PageSkeleton />;
}
