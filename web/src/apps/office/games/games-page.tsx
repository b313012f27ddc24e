import { useT } from "@/lib/i18n/i18n";
import { useAddress } from "../address";
import { PageHead } from "../panel";
import { TabLinks } from "../tab-links";
import { GamesTab } from "./games-tab";
import { VendorsTab } from "./vendors-tab";

/** The catalogue: games, how sites offer them, and vendors. */
export default function GamesPage() {
  const t = useT();
  const { tab } = useAddress();
  const current = tab === "vendors" ? "vendors" : "games";
  return (
    <>
      <PageHead title={t("office.games")} />
      <TabLinks
        label={t("office.games")}
        path="/games"
        tabs={[
          { id: "games", label: t("offer.games") },
          { id: "vendors", label: t("offer.vendors") },
        ]}
        current={current}
      />
      {current === "games" ? <GamesTab /> : <VendorsTab />}
    </>
  );
}
