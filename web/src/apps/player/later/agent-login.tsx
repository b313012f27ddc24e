import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { LoginForms } from "@/features/auth/components/login-forms";
import type { CaptchaDemand } from "@/features/auth/components/username-login-form";
import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";

const stay = () => undefined;

/** A panel with a door: words beside, the log-in inside. It lets agents in only. */
export default function AgentLogin() {
  const t = useT();
  const [demand, setDemand] = useState<CaptchaDemand>();
  return (
    <section className="leaf-lg relative grid overflow-hidden border border-line bg-surface lg:grid-cols-[1.2fr_1fr]">
      <div
        className="lattice lattice-up absolute inset-x-0 bottom-0 h-1/3 max-lg:hidden"
        aria-hidden="true"
      />
      <div className="relative grid content-start gap-5 p-6 sm:p-10 lg:p-14 lg:pb-36">
        <p className="eyebrow">{t("agent.eyebrow")}</p>
        <h1 className="display max-w-[16ch] text-[min(2.1rem,8vw)] sm:text-5xl">
          {t("agent.login_title")}
        </h1>
        <p className="max-w-[46ch] text-muted sm:text-lg">{t("agent.login_text")}</p>
        <p className="max-w-[46ch] text-sm text-muted">
          {t("agent.become")}{" "}
          <Link to="/join" className="font-semibold text-accent-text underline underline-offset-4">
            {t("agent.become_link")}
          </Link>
        </p>
      </div>
      <div className="relative grid grid-cols-1 content-start gap-5 border-line bg-canvas p-6 max-lg:border-t sm:p-10 lg:border-l lg:py-14">
        <LoginForms
          key={demand ? "captcha" : "plain"}
          {...demand}
          next="/agentHome"
          onCaptcha={setDemand}
          close={stay}
        />
        <button
          type="button"
          className="min-h-11 justify-self-start text-sm font-semibold text-accent-text underline underline-offset-4"
          onClick={() => openPopup("forgot", {})}
        >
          {t("auth.forgot")}
        </button>
      </div>
    </section>
  );
}
