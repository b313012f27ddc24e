import { useEffect, useState } from "react";
import { atMostEvery } from "@/lib/countdown";
import { fetchCaptcha } from "./api-login";

const second = 1000;

type Kind = "image" | "question";
type Shown = { kind: Kind; content: string } | { kind: "fault"; error: unknown } | null;

export type Captcha = {
  shown: Shown;
  kind: Kind;
  /** Asks for another one, at most once a second: an earlier wish is met when the second is over. */
  refresh: (kind?: Kind) => void;
};

/** The captcha of a form; it is fetched as soon as it is wanted. */
export function useCaptcha(wanted: boolean): Captcha {
  const [shown, setShown] = useState<Shown>(null);
  const [kind, setKind] = useState<Kind>("image");
  const [asking] = useState(() => new Asking(setShown));
  useEffect(() => {
    if (wanted) asking.ask("image");
    return () => asking.stop();
  }, [wanted, asking]);
  const refresh = (next: Kind = kind) => {
    setKind(next);
    asking.ask(next);
  };
  return { shown, kind, refresh };
}

/** The server counts by browser: whichever form asks, one captcha comes in a second. */
const due = atMostEvery(second);

/** Fetches the captchas of a form. */
class Asking {
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly show: (shown: Shown) => void) {}

  ask(kind: Kind): void {
    this.stop();
    if (due()) void this.fetch(kind);
    else this.later = setTimeout(() => this.ask(kind), second);
  }

  stop(): void {
    clearTimeout(this.later);
  }

  private async fetch(kind: Kind): Promise<void> {
    try {
      this.show({ kind, content: await fetchCaptcha(kind) });
    } catch (error) {
      this.show({ kind: "fault", error });
    }
  }
}
