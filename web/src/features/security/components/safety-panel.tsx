import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";
import type { Account } from "../api";
import { Panel, Row } from "./panel";

/** How the account is guarded. */
export function SafetyPanel({ account }: { account: Account }) {
  const t = useT();
  const { email, mobileNum, hasPaymentPassword = false, twoFactor = false } = account;
  return (
    <Panel title={t("security.safety")}>
      <div>
        <Row label={t("field.password")} value={t("security.password_text")}>
          <Button size="sm" onClick={() => openPopup("changePassword", {})}>
            {t("security.change_password")}
          </Button>
        </Row>
        <Row label={t("field.mobile")} value={bound(mobileNum, t("security.not_set"))}>
          <Button
            size="sm"
            onClick={() => openPopup("bind", { what: "mobile", exists: !!mobileNum })}
          >
            {t(mobileNum ? "security.change_mobile" : "security.bind_mobile")}
          </Button>
        </Row>
        <Row label={t("field.email")} value={bound(email, t("security.not_set"))}>
          <Button size="sm" onClick={() => openPopup("bind", { what: "email", exists: !!email })}>
            {t(email ? "security.change_email" : "security.bind_email")}
          </Button>
        </Row>
        <Row
          label={t("security.payment_password")}
          value={t(hasPaymentPassword ? "security.is_set" : "security.not_set")}
        >
          <Button
            size="sm"
            onClick={() => openPopup("paymentPassword", { exists: hasPaymentPassword })}
          >
            {t(
              hasPaymentPassword
                ? "security.change_payment_password"
                : "security.set_payment_password",
            )}
          </Button>
        </Row>
        <Row
          label={t("security.two_factor")}
          value={t(twoFactor ? "security.two_factor_on" : "security.two_factor_off")}
        >
          <TwoFactorButtons on={twoFactor} />
        </Row>
      </div>
    </Panel>
  );
}

function bound(masked: string | null | undefined, none: string) {
  return masked ? <span data-name>{masked}</span> : none;
}

function TwoFactorButtons({ on }: { on: boolean }) {
  const t = useT();
  if (!on) {
    return (
      <Button size="sm" variant="main" onClick={() => openPopup("twoFactorOn", {})}>
        {t("security.two_factor_set_up")}
      </Button>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={() => openPopup("recoveryCodes", {})}>
        {t("security.recovery_renew")}
      </Button>
      <Button size="sm" onClick={() => openPopup("twoFactorOff", {})}>
        {t("security.two_factor_turn_off")}
      </Button>
    </div>
  );
}
