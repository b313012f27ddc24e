import { Link } from "@tanstack/react-router";
import type { Popups } from "@/lib/popup/popup";
import { useT } from "@/lib/i18n/i18n";
import { Button, buttonClass } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";

const words = {
  deposit: { title: "cashier.deposit_title", text: "cashier.deposit_text" },
  withdraw: { title: "cashier.withdraw_title", text: "cashier.withdraw_text" },
} as const;

/** The cashier is not open yet: what that means, and what can be done meanwhile. */
export default function CashierPopup({ what, close }: Popups["cashier"] & { close: () => void }) {
  const t = useT();
  const { title, text } = words[what];
  return (
    <div className="grid gap-5 p-6">
      <DialogTitle>{t(title)}</DialogTitle>
      <p className="text-muted">{t(text)}</p>
      <p className="text-muted">{t("cashier.safe")}</p>
      <div className="flex flex-wrap gap-3">
        <Button data-autofocus variant="main" onClick={close}>
          {t("warning.ok")}
        </Button>
        <Link to="/transactionHistory" onClick={close} className={buttonClass()}>
          {t("nav.record")}
        </Link>
      </div>
    </div>
  );
}
