import { Suspense, lazy, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { FormAlert } from "@/ui/form-alert";
import { Skeleton } from "@/ui/skeleton";
import { Tabs } from "@/ui/tabs";
import type { LoginProps } from "../popups";
import { rememberedWay } from "../remembering";
import { type Way, loginWays, wayLabels } from "../ways";
import { UsernameLoginForm } from "./username-login-form";

const SmsLoginForm = lazy(() => loadPart(() => import("./sms-login-form")));

type Props = Omit<Parameters<typeof UsernameLoginForm>[0], "next"> & LoginProps;

/** The ways to log in that the merchant has opened; where it has opened none, that is said. */
export function LoginForms({ way, ...props }: Props) {
  const { next, close } = props;
  const t = useT();
  const ways = loginWays();
  const [picked, choose] = useState<Way>();
  // What was typed goes on in its own form. What is forgotten meanwhile turns no page.
  const [remembered] = useState(() => (props.typed ? undefined : rememberedWay()));
  const wanted = picked ?? way ?? remembered;
  const [isBegun, setBegun] = useState(false);
  // A way can close while one looks at it.
  const chosen = wanted && ways.includes(wanted) ? wanted : ways[0];
  if (!chosen) return <FormAlert text={t("error.switched_off")} />;
  if (chosen === "username" && !isBegun) setBegun(true);
  const tabs = ways.map((id) => ({ id, label: t(wayLabels[id]) }));
  return (
    <Tabs label={t("auth.login_way")} tabs={tabs} current={chosen} onChange={choose}>
      {isBegun && ways.includes("username") && (
        // It stays as it is while one looks at the other way: what it began with is said and filled in once.
        <div hidden={chosen !== "username"}>
          <UsernameLoginForm {...props} next={next} />
        </div>
      )}
      {chosen === "mobile" && (
        <Suspense fallback={<Skeleton className="h-64" />}>
          <SmsLoginForm next={next} close={close} isFirst={!picked} refusal={props.refusal} />
        </Suspense>
      )}
    </Tabs>
  );
}
