import { useQuery } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import { isSwitchedOn } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { DialogTitle } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import { Skeleton } from "@/ui/skeleton";
import { Tabs } from "@/ui/tabs";
import { socialQuery } from "../api-login";
import { type LoginProps, openRegister } from "../popups";
import { loginWays, wayLabels } from "../ways";
import { AuthBand } from "./auth-band";
import { FreePlay } from "./free-play";
import { type CaptchaDemand, UsernameLoginForm } from "./username-login-form";

const SmsLoginForm = lazy(() => loadPart(() => import("./sms-login-form")));
const SocialButtons = lazy(() => loadPart(() => import("./social-buttons")));

const quiet = "min-h-11 font-semibold text-accent-text underline underline-offset-4";

export default function LoginPopup(props: LoginProps & { close: () => void }) {
  const { next, close } = props;
  const t = useT();
  const { isPending } = useQuery(socialQuery);
  const [demand, setDemand] = useState<CaptchaDemand>();
  return (
    // The ways in through somebody else come a moment later, with what is below them: the frame has room for both.
    // The form with a captcha is a new one, and so is everything around it.
    <div key={demand ? "captcha" : "plain"} className="popup-tall">
      <AuthBand group="w_login" />
      <div className="grid grid-cols-1 gap-5 p-6">
        <DialogTitle>{t("auth.login_title")}</DialogTitle>
        <Forms {...props} {...demand} onCaptcha={setDemand} />
        <div className="grid justify-items-start text-sm text-muted">
          <button
            type="button"
            className={quiet}
            onClick={() => {
              close();
              openPopup("forgot", {});
            }}
          >
            {t("auth.forgot")}
          </button>
          {isSwitchedOn("DIRECTREG3") && (
            <p>
              {t("auth.no_account")}{" "}
              <button
                type="button"
                className={quiet}
                onClick={() => {
                  openRegister(next);
                  close();
                }}
              >
                {t("auth.register_now")}
              </button>
            </p>
          )}
        </div>
        {!isPending && (
          <Suspense>
            <SocialButtons next={next} close={close} />
            <FreePlay next={next} close={close} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

type FormsProps = Omit<Parameters<typeof UsernameLoginForm>[0], "next"> & LoginProps;

function Forms({ way, ...props }: FormsProps) {
  const { next, close } = props;
  const t = useT();
  const ways = loginWays();
  const [wanted, choose] = useState(way);
  // A way can close while one looks at it.
  const chosen = wanted && ways.includes(wanted) ? wanted : ways[0];
  if (!chosen) return <FormAlert text={t("error.switched_off")} />;
  const tabs = ways.map((id) => ({ id, label: t(wayLabels[id]) }));
  return (
    <Tabs label={t("auth.login_way")} tabs={tabs} current={chosen} onChange={choose}>
      {chosen === "mobile" ? (
        <Suspense fallback={<Skeleton className="h-64" />}>
          <SmsLoginForm next={next} close={close} />
        </Suspense>
      ) : (
        <UsernameLoginForm {...props} next={next} />
      )}
    </Tabs>
  );
}
