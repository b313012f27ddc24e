import { type ComponentProps, useState } from "react";
import { atMostEvery, useCountdown } from "@/lib/countdown";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "./button";
import { Field } from "./field";

/** How a form has codes sent. */
export type CodeSender = {
  /** Whether there is something to send a code to; the form says what is missing. */
  isReady: () => Promise<boolean>;
  /** Sends a code; resolves to whether it did, and to the seconds until the next try. */
  onSend: () => Promise<{ isSent: boolean; rest: number }>;
  /** Where codes are sent to: the countdown of one address says nothing of another. */
  to: string;
};

type CodeFieldProps = Omit<ComponentProps<typeof Field>, "end" | "label"> & { sender: CodeSender };

/** The code of a message, with the button that has one sent. The button rests while the countdown runs. */
export function CodeField({ sender, ...field }: CodeFieldProps) {
  const t = useT();
  const countdown = useCountdown();
  const [sentTo, setSentTo] = useState<string>();
  const left = sentTo === sender.to ? countdown.left : 0;
  const [busy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const [due] = useState(() => atMostEvery(1000));
  const send = async (pressed: HTMLElement) => {
    if (busy || left > 0 || !(await sender.isReady()) || !due()) return;
    setBusy(true);
    const { isSent, rest } = await sender.onSend().finally(() => setBusy(false));
    setSent(isSent);
    // The button rests from now on, and what rests loses the focus.
    if (isSent && pressed === document.activeElement) {
      pressed.parentElement?.querySelector("input")?.focus();
    }
    setSentTo(sender.to);
    countdown.start(rest);
  };
  return (
    <div className="grid gap-1.5">
      <div className="grid grid-cols-[1fr_auto] items-start gap-2">
        <Field
          {...field}
          label={t("code.label")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={255}
        />
        <Button
          className="mt-[1.625rem] min-h-12 min-w-32"
          size="sm"
          busy={busy}
          disabled={left > 0}
          onClick={({ currentTarget }) => void send(currentTarget)}
        >
          {left > 0 ? t("code.again_in", left) : t("code.send")}
        </Button>
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {isSent && left > 0 && t("code.sent")}
      </p>
    </div>
  );
}
