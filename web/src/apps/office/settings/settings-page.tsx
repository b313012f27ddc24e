import { useQuery } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { useAddress, useGo } from "../address";
import { ListFault, PageSkeleton } from "../page-states";
import { PageHead } from "../panel";
import { useMay } from "../session";
import { TabLinks } from "../tab-links";
import { type MerchantRow, type Settings, merchantsQuery, settingsQuery } from "./api";
import { BrandTab } from "./brand-tab";
import { HistoryTab } from "./history-tab";
import { MerchantsTab } from "./merchants-tab";
import { PoliciesTab } from "./policies-tab";
import { RegistrationTab } from "./registration-tab";
import { SiteTab } from "./site-tab";
import { SwitchesTab } from "./switches-tab";
import { type TabId, chosenOf, searchOf, tabOf, tabs } from "./tabs";

/** How the sites are: what can be switched, asked and shown, and how it was before. */
export default function SettingsPage() {
  const t = useT();
  const address = useAddress();
  const { data: merchants, error, refetch } = useQuery(merchantsQuery);
  const chosen = chosenOf(merchants ?? [], address);
  return (
    <>
      <PageHead title={t("office.settings")}>
        {merchants && merchants.length > 1 && chosen && (
          <MerchantSelect merchants={merchants} chosen={chosen} />
        )}
      </PageHead>
      {error && !merchants && <ListFault error={error} onRetry={() => void refetch()} />}
      {chosen && <OfMerchant key={chosen.id} merchant={chosen} tab={tabOf(address)} />}
      {!chosen && !error && <PageSkeleton />}
    </>
  );
}

function MerchantSelect({ merchants, chosen }: { merchants: MerchantRow[]; chosen: MerchantRow }) {
  const t = useT();
  const go = useGo();
  const address = useAddress();
  return (
    <select
      aria-label={t("settings.merchant")}
      value={chosen.code}
      onChange={({ target }) =>
        go("/settings", searchOf(tabOf(address), { merchant: target.value }))
      }
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

function OfMerchant({ merchant, tab }: { merchant: MerchantRow; tab: TabId }) {
  const t = useT();
  const { data, error, refetch } = useQuery(settingsQuery(merchant.id));
  const kept = { merchant: useAddress()["merchant"] };
  return (
    <>
      <TabLinks
        label={t("office.settings")}
        path="/settings"
        tabs={tabs.map(({ id, title }) => ({ id, label: t(title) }))}
        current={tab}
        kept={kept}
      />
      {data && <Tab id={tab} settings={data} />}
      {!data && error && <ListFault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <PageSkeleton />}
    </>
  );
}

function Tab({ id, settings }: { id: TabId; settings: Settings }) {
  const mayWrite = useMay("settings.write");
  const t = useT();
  const props = { settings, mayWrite };
  return (
    <>
      {!mayWrite && <p className="pb-3 text-sm text-muted">{t("settings.read_only")}</p>}
      {id === "site" && <SiteTab {...props} />}
      {id === "switches" && <SwitchesTab {...props} />}
      {id === "registration" && <RegistrationTab {...props} />}
      {id === "policies" && <PoliciesTab {...props} />}
      {id === "brand" && <BrandTab {...props} />}
      {id === "merchants" && <MerchantsTab {...props} />}
      {id === "history" && <HistoryTab {...props} />}
    </>
  );
}
