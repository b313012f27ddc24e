import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getBoot, isSwitchedOn } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { DialogTitle } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import { Skeleton } from "@/ui/skeleton";
import { Tabs } from "@/ui/tabs";
import { registerRulesQuery } from "../api-login";
import { type LoginProps, openLogin } from "../popups";
import { type FormTerms, usualRules } from "../rules";
import { useInvitation } from "../use-invitation";
import { type Way, registerWays, wayLabels } from "../ways";
import { AuthBand } from "./auth-band";
import { RegisterForm } from "./register-form";

export default function RegisterPopup({ next, close }: LoginProps & { close: () => void }) {
  const t = useT();
  return (
    <>
      <AuthBand group="w_register" />
      <div className="grid grid-cols-1 gap-5 p-6">
        <DialogTitle>{t("auth.register_title")}</DialogTitle>
        <Forms close={close} />
        <p className="text-sm text-muted">
          {t("auth.have_account")}{" "}
          <button
            type="button"
            className="min-h-11 font-semibold text-accent-text underline underline-offset-4"
            onClick={() => {
              openLogin(next);
              close();
            }}
          >
            {t("auth.login")}
          </button>
        </p>
      </div>
    </>
  );
}

function Forms({ close }: { close: () => void }) {
  const t = useT();
  const ways = registerWays();
  const [wanted, choose] = useState<Way>();
  // A way can close while one looks at it.
  const chosen = wanted && ways.includes(wanted) ? wanted : ways[0];
  const { data, isPending } = useQuery(registerRulesQuery);
  const rules = data?.rules ?? usualRules;
  const link = useInvitation(rules);
  if (!chosen) return <FormAlert text={t("error.switched_off")} />;
  // As high as the usual form, so that what stands below it keeps its place.
  if (isPending) return <Skeleton className="h-140" />;
  const tabs = ways.map((id) => ({ id, label: t(wayLabels[id]) }));
  const passwordShown = isSwitchedOn("MOBILENUMPASSREG3");
  const terms: FormTerms = {
    way: chosen,
    // Without a password the number is the only way back in, so it is always proved.
    codeNeeded: isSwitchedOn("REGMOBVERF3") || (chosen === "mobile" && !passwordShown),
    phoneService: getBoot().phoneService !== null,
    passwordShown,
    invited: link.invited.affiliateCode !== undefined,
    referred: link.invited.referralCode !== undefined,
    minimumAge: data?.minimumAge ?? 21,
  };
  return (
    <Tabs label={t("auth.register_way")} tabs={tabs} current={chosen} onChange={choose}>
      <RegisterForm key={chosen} rules={rules} terms={terms} link={link} close={close} />
    </Tabs>
  );
}
