import { useEffect, useRef, useState } from "react";
import { getBoot } from "@/lib/boot/boot";
import { useCountdown } from "@/lib/countdown";
import { type Key, useLanguageTag } from "@/lib/i18n/i18n";
import { verifyNumber } from "@/lib/phone-service/phone-service";
import type { Mobile } from "./api-login";
import { withoutGaps } from "./checks";

/** Every try may have a message sent, so the button rests after each. */
const pause = 60;

/** A number as it is written abroad; the service and the server read it anew. */
export function internationalOf({ mobileNum, countryDialingCode }: Mobile): string {
  const digits = (text: string) => text.replaceAll(/\D/g, "");
  const code = digits(countryDialingCode);
  const number = digits(mobileNum);
  const hasCode = withoutGaps(mobileNum).startsWith(`+${code}`);
  const local = hasCode ? number.slice(code.length) : number;
  return `+${code}${local.replace(/^0+/, "")}`;
}

/** Has the phone service prove numbers; where the merchant has none, there is nothing to call. */
export function usePhoneProof(onProved: (idToken: string) => void): {
  prove: (mobile: Mobile) => void;
  waiting: boolean;
  /** Seconds until the next try. */
  left: number;
  failure: Key | null;
} {
  const lang = useLanguageTag();
  const { left, start } = useCountdown();
  const [waiting, setWaiting] = useState(false);
  const [failure, setFailure] = useState<Key | null>(null);
  const stop = useRef(() => undefined as void);
  useEffect(() => () => stop.current(), []);
  const end = (why: Key | null) => {
    setWaiting(false);
    setFailure(why);
  };
  const prove = (mobile: Mobile) => {
    const service = getBoot().phoneService;
    if (!service || waiting || left > 0) return;
    stop.current();
    setWaiting(true);
    setFailure(null);
    start(pause);
    stop.current = verifyNumber(
      service,
      { number: internationalOf(mobile), lang },
      {
        onBlocked: () => {
          start(0);
          end("social.blocked");
        },
        onClosed: () => end("phone.closed"),
        onRefused: () => end("error.phone_unverified"),
        onToken: (idToken) => {
          end(null);
          onProved(idToken);
        },
      },
    );
  };
  return { prove, waiting, left, failure };
}
