import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { toast } from "@/ui/toast";
import { timeText } from "../clock";
import { Fact, Facts } from "../panel";
import { ReasonForm } from "../reason-dialog";
import { useMay } from "../session";
import { type Message, type MessageText, messagesKey, openMessage, resendMessage } from "./api";
import { channelText, messageStateText, purposeText } from "./kinds";

type MessageDialogProps = { message: Message; onClose: () => void };

/** One message: what became of it; and what it says, for those who may read it and say why. */
export function MessageDialog({ message, onClose }: MessageDialogProps) {
  const t = useT();
  return (
    <Dialog onClose={onClose} className="sheet">
      <div className="grid content-start gap-5 p-5">
        <DialogTitle>{purposeText(message.purpose, t)}</DialogTitle>
        <Facts>
          <Fact label={t("service.channel")}>{channelText(message.channel, t)}</Fact>
          <Fact label={t("service.to")}>
            <span data-name>{message.to ?? "–"}</span>
          </Fact>
          <Fact label={t("service.merchant")}>
            <span data-name>{message.merchant || "–"}</span>
          </Fact>
          <Fact label={t("service.message_state")}>{messageStateText(message.state, t)}</Fact>
          <Fact label={t("service.written_at")}>{timeText(message.createdAt)}</Fact>
          <Fact label={t("service.useful_until")}>{timeText(message.deadline)}</Fact>
          <Fact label={t("service.tries")}>{message.tries}</Fact>
          {message.lastError && (
            <Fact label={t("service.last_error")}>
              <span data-name>{message.lastError}</span>
            </Fact>
          )}
        </Facts>
        {message.state === "kept" && <p className="text-sm text-muted">{t("service.kept_text")}</p>}
        <Reading message={message} />
        <SendAgain message={message} />
      </div>
    </Dialog>
  );
}

function Reading({ message }: { message: Message }) {
  const t = useT();
  const mayOpen = useMay("outbox.open");
  const [letter, setLetter] = useState<MessageText | null>(null);
  if (letter) return <Letter letter={letter} />;
  if (message.to === null || message.to === undefined) {
    return <p className="text-muted">{t("service.error_text_removed")}</p>;
  }
  if (!mayOpen) return <p className="text-muted">{t("service.open_not_allowed")}</p>;
  return (
    <section className="grid gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">{t("service.open_title")}</h3>
      <p className="text-sm text-muted">{t("service.open_text")}</p>
      <ReasonForm
        isQuiet
        action={t("service.open")}
        onReason={async (reason) => setLetter(await openMessage(message.id, reason))}
        onDone={() => undefined}
      />
    </section>
  );
}

function Letter({ letter }: { letter: MessageText }) {
  const t = useT();
  return (
    <section aria-live="polite" className="leaf grid gap-2 border border-line-strong bg-canvas p-4">
      <p className="text-sm text-muted">
        {t("service.to")}{" "}
        <span data-name className="text-ink">
          {letter.to}
        </span>
      </p>
      {letter.subject && (
        <p data-name className="font-semibold">
          {letter.subject}
        </p>
      )}
      <p data-name className="wrap-anywhere whitespace-pre-wrap">
        {letter.text}
      </p>
    </section>
  );
}

/** Only what failed or was kept is sent again, as long as somebody has a use for it. */
function SendAgain({ message }: { message: Message }) {
  const t = useT();
  const client = useQueryClient();
  const mayWrite = useMay("service.write");
  const [asks, setAsks] = useState(false);
  if (!mayWrite || !message.canResend) return null;
  return (
    <section className="grid gap-3 border-t border-line pt-4">
      {asks ? (
        <ReasonForm
          action={t("service.resend")}
          onReason={(reason) =>
            resendMessage(message.id, reason).finally(
              () => void client.invalidateQueries({ queryKey: messagesKey }),
            )
          }
          onDone={() => {
            setAsks(false);
            toast(t("service.resent"), "good");
          }}
        />
      ) : (
        <Button size="sm" className="justify-self-start" onClick={() => setAsks(true)}>
          {t("service.resend")}
        </Button>
      )}
    </section>
  );
}
