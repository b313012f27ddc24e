import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { FormAlert } from "@/ui/form-alert";
import { loginSocial, socialQuery } from "../api-login";
import { door } from "../sign-in";
import { startSocial } from "../social";
import { useEnter } from "../use-enter";

/** The ways in through somebody else, where the merchant has some. */
export default function SocialButtons({
  next,
  close,
}: {
  next: string | undefined;
  close: () => void;
}) {
  const t = useT();
  const enter = useEnter();
  const { data: providers = [] } = useQuery(socialQuery);
  const [waiting, setWaiting] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const stop = useRef(() => undefined as void);
  useEffect(() => () => stop.current(), []);
  if (providers.length === 0) return null;
  const fail = (text: string) => {
    setWaiting(null);
    setFailure(text);
  };
  const takeIn = async (ticket: string) => {
    try {
      await enter("social", await loginSocial({ ticket, ...door() }), { next });
      close();
    } catch (error) {
      fail(errorText(error, t));
    }
  };
  const go = (provider: string) => {
    stop.current();
    setFailure(null);
    setWaiting(provider);
    stop.current = startSocial(provider, {
      onBlocked: () => fail(t("social.blocked")),
      onClosed: () => fail(t("social.closed")),
      onTicket: (ticket) => void takeIn(ticket),
      onRefused: (error) => fail(errorText(error, t)),
    });
  };
  return (
    <div className="grid gap-2 border-t border-line pt-5">
      <FormAlert text={failure} />
      {providers.map(({ provider, name }) => (
        <Button
          key={provider}
          busy={waiting === provider}
          disabled={waiting !== null && waiting !== provider}
          onClick={() => go(provider)}
        >
          {t("social.continue", name)}
        </Button>
      ))}
      <p role="status" className="text-sm text-muted empty:hidden">
        {waiting !== null && t("social.waiting")}
      </p>
    </div>
  );
}
