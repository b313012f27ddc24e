import { useMatchRoute } from "@tanstack/react-router";
import { BalanceButton } from "@/features/wallet/components/balance-button";
import type { MemberInfo } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { AccountMenu } from "./account-menu";

/** The end of the header for those who are logged in. */
export default function MemberEnd({ member }: { member: MemberInfo }) {
  return (
    <>
      {member.isTrial && <DemoMark />}
      <BalanceUnlessPlaying />
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
