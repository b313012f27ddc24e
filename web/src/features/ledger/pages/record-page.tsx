import { Link } from "@tanstack/react-router";

import { useToken } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";

import { CheckPanel } from "../components/check-panel";
import { EntryList } from "../components/entry-list";
import { LoginFirst } from "../components/panel";

/** The member's transfers, explained, and the way to check that none was changed. */
export default function RecordPage() {
  const t = useT();
  const inside = useToken() !== null;
  return (
    <div className="grid grid-cols-1 gap-8">
      <header className="grid gap-3">
        <h1 className="display text-3xl sm:text-4xl">{t("ledger.title")}</h1>
        <p className="max-w-[68ch] text-muted">{t("ledger.lead")}</p>
        <Link
          to="/proof"
          className="inline-flex min-h-11 w-fit items-center font-semibold underline underline-offset-4"
        >
          {t("ledger.proof_link")}
        </Link>
      </header>
      {inside ? (
        <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="top-22 min-w-0 lg:[@media(min-height:52rem)]:sticky">
            <CheckPanel />
          </div>
          <div className="min-w-0 lg:order-first">
            <EntryList />
          </div>
        </div>
      ) : (
        <LoginFirst text={t("ledger.visitor")} next="/transactionHistory" />
      )}
    </div>
  );
}
