import { useMatchRoute } from "@tanstack/react-router";
import { BalanceButton } from "@/features/wallet/components/balance-button";
import type { MemberInfo } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";
import { AccountMenu } from "./account-menu";

/** The end of the header for those who are logged in. */
export default function MemberEnd({ member }: { member: MemberInfo }) {
  const t = useT();
  return (
    <>
      {member.isTrial && <DemoMark />}
      <BalanceUnlessPlaying />
      <Button
        size="sm"
        variant="main"
        className="max-md:hidden"
        onClick={() => openPopup("cashier", { what: "deposit" })}
      >
        {t("shell.deposit")}
      </Button>
      <Button
        size="sm"
        className="max-lg:hidden"
        onClick={() => openPopup("cashier", { what: "withdraw" })}
      >
        {t("shell.withdraw")}
      </Button>
      <AccountMenu member={member} />
    </>
  );
}

function DemoMark() {
  const t = useT();
  return (
    <span className="figures rounded-xs bg-accent px-1.5 py-0.5 text-xs text-on-accent uppercase">
      {t("header.demo")}
    </span>
  );
}

/** A game page shows its own balance. */
function BalanceUnlessPlaying() {
  const playing = useMatchRoute()({ to: "/play/$gameCode" });
  return playing ? null : <BalanceButton />;
}
