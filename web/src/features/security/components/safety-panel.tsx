import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";
import type { Account } from "../api";
import { type ContactKind, contactWords } from "../model";
import { Panel, Row } from "./panel";

/** How the account is guarded. */
export function SafetyPanel({ account }: { account: Account }) {
  const t = useT();
  const { hasPaymentPassword, twoFactor } = account;
  return (
    <Panel title={t("security.safety")}>
      <div>
        <PasswordRow exists={account.hasPassword} />
        <ContactRow what="mobile" held={account.mobileNum} verified={account.mobileVerified} />
        <ContactRow what="email" held={account.email} verified={account.emailVerified} />
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
      {account.mobileVerified && !twoFactor && (
        <p className="max-w-[68ch] text-sm text-muted">{t("security.sms_worth")}</p>
      )}
    </Panel>
  );
}

/** Who has no password sets one the way that others get a new one. */
function PasswordRow({ exists }: { exists: boolean }) {
  const t = useT();
  const open = () => (exists ? openPopup("changePassword", {}) : openPopup("forgot", {}));
  return (
    <Row
      label={t("field.password")}
      value={t(exists ? "security.password_text" : "security.not_set")}
    >
      <Button size="sm" onClick={open}>
        {t(exists ? "security.change_password" : "security.set_password")}
      </Button>
    </Row>
  );
}

type ContactProps = { what: ContactKind; held: string | null | undefined; verified: boolean };

function ContactRow({ what, held, verified }: ContactProps) {
  const t = useT();
  const words = contactWords[what];
  if (!held) {
    return (
      <Row label={t(words.label)} value={t("security.not_set")}>
        <Button size="sm" onClick={() => openPopup("bind", { what, purpose: "add" })}>
          {t(words.add)}
        </Button>
      </Row>
    );
  }
  const purposes = verified ? (["change"] as const) : (["verify", "change"] as const);
  return (
    <Row label={t(words.label)} value={<HeldContact what={what} held={held} verified={verified} />}>
      <div className={`flex flex-wrap gap-2 ${verified ? "" : "basis-full"}`}>
        {purposes.map((purpose) => (
          <Button
            key={purpose}
            size="sm"
            onClick={() => openPopup("bind", { what, purpose, held })}
          >
            {t(words[purpose])}
          </Button>
        ))}
      </div>
    </Row>
  );
}

/** The contact, masked, and whether it is known to be the member's. */
function HeldContact({ what, held, verified }: ContactProps) {
  const t = useT();
  return (
    <>
      <span data-name>{held}</span>
      <span className={`block text-sm ${verified ? "text-win" : "text-muted"}`}>
        {t(verified ? "security.verified" : contactWords[what].unverified)}
      </span>
    </>
  );
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
