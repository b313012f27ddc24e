import { type ComponentProps, useEffect, useState } from "react";
import { errorText } from "@/lib/api/error-text";
import { atMostEvery } from "@/lib/countdown";
import { useT } from "@/lib/i18n/i18n";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";
import { fetchCaptcha } from "../api-login";

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

/** Fetches captchas, at most one a second. */
class Asking {
  private readonly due = atMostEvery(second);
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly show: (shown: Shown) => void) {}

  ask(kind: Kind): void {
    this.stop();
    if (this.due()) void this.fetch(kind);
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

type Props = Omit<ComponentProps<typeof Field>, "label"> & { captcha: Captcha };

/** A picture to copy, or a question in words for those who do not see it. */
export function CaptchaField({ captcha, ...field }: Props) {
  const t = useT();
  const { kind, refresh } = captcha;
  const other = kind === "image" ? "question" : "image";
  return (
    <div className="grid gap-2">
      <div className="flex min-h-16 items-center justify-between gap-2 sm:justify-start">
        <CaptchaShown shown={captcha.shown} />
        <IconButton icon="refresh" label={t("captcha.another")} onClick={() => refresh()} />
      </div>
      <Field
        {...field}
        starred
        label={t(kind === "image" ? "captcha.label" : "captcha.answer")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <button
        type="button"
        className="min-h-11 justify-self-start text-sm underline underline-offset-4"
        onClick={() => refresh(other)}
      >
        {t(kind === "image" ? "captcha.cannot_see" : "captcha.picture_again")}
      </button>
    </div>
  );
}

function CaptchaShown({ shown }: { shown: Shown }) {
  const t = useT();
  if (!shown) return <Skeleton className="h-16 w-53" />;
  if (shown.kind === "fault") {
    return (
      <p role="alert" className="text-sm text-live-text">
        {errorText(shown.error, t)}
      </p>
    );
  }
  if (shown.kind === "question") {
    return (
      <p role="status" className="font-semibold" data-name>
        {shown.content}
      </p>
    );
  }
  return (
    <img
      src={`data:image/png;base64,${shown.content}`}
      alt={t("captcha.image")}
      className="h-16 rounded-xs border border-line"
    />
  );
}
