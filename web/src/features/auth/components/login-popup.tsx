import { useQuery } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import { isSwitchedOn } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { DialogTitle } from "@/ui/dialog";
import { socialQuery } from "../api-login";
import { type LoginProps, openRegister } from "../popups";
import { typedName } from "../typed-name";
import { AuthBand } from "./auth-band";
import { FreePlay } from "./free-play";
import { LoginForms } from "./login-forms";
import type { CaptchaDemand } from "./username-login-form";

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
        <LoginForms {...props} {...demand} onCaptcha={setDemand} />
        <div className="grid justify-items-start text-sm text-muted">
          <button
            type="button"
            className={quiet}
            onClick={({ currentTarget }) => {
              const username = typedName(currentTarget);
              close();
              openPopup("forgot", { username });
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
            <FreePlay />
          </Suspense>
        )}
      </div>
    </div>
  );
}
