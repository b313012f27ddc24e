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
import { AnswerForm } from "./answer-form";
import { type Feedback, answerFeedback, closeFeedback, feedbackKey } from "./api";
import { StateWord, Writer } from "./parts";
import { languageText, questionText } from "./words";

type FeedbackDialogProps = { feedback: Feedback; onClose: () => void };

/** What somebody wrote, what was answered, and what can be done about it. */
export function FeedbackDialog({ feedback, onClose }: FeedbackDialogProps) {
  const t = useT();
  const mayWrite = useMay("feedback.write");
  return (
    <Dialog onClose={onClose} className="sheet">
      <div className="grid content-start gap-5 p-5">
        <DialogTitle>{questionText(feedback.questionType, t)}</DialogTitle>
        <p data-name className="wrap-anywhere whitespace-pre-wrap">
          {feedback.content}
        </p>
        <FeedbackFacts feedback={feedback} />
        {feedback.answer && (
          <section className="leaf grid gap-2 border border-line p-3">
            <h3 className="font-semibold">{t("letters.answer")}</h3>
            <p data-name className="wrap-anywhere whitespace-pre-wrap">
              {feedback.answer}
            </p>
          </section>
        )}
        {mayWrite && <Deeds feedback={feedback} onClose={onClose} />}
        {!mayWrite && feedback.status === "OPEN" && (
          <p className="text-sm text-muted">{t("letters.read_only")}</p>
        )}
      </div>
    </Dialog>
  );
}

function FeedbackFacts({ feedback }: { feedback: Feedback }) {
  const t = useT();
  return (
    <Facts>
      <Fact label={t("letters.state")}>
        <StateWord state={feedback.status} />
      </Fact>
      <Fact label={t("letters.writer")}>
        <Writer {...feedback} />
      </Fact>
      {feedback.contact && (
        <Fact label={t("letters.contact")}>
          <span data-name>{feedback.contact}</span>
        </Fact>
      )}
      <Fact label={t("letters.language")}>
        <span data-name>{languageText(feedback.language)}</span>
      </Fact>
      <Fact label={t("letters.site")}>
        <span data-name>{feedback.merchant}</span>
      </Fact>
      <Fact label={t("letters.written_at")}>{timeText(feedback.createdAt)}</Fact>
      {feedback.answeredBy && (
        <Fact label={t("letters.answered_by")}>
          <span data-name>{feedback.answeredBy}</span>
        </Fact>
      )}
      {feedback.answeredAt && (
        <Fact label={t("letters.answered_at")}>{timeText(feedback.answeredAt)}</Fact>
      )}
    </Facts>
  );
}

/** What is open can be answered; what is not closed can be closed. */
function Deeds({ feedback: { id, status, language, memberId }, onClose }: FeedbackDialogProps) {
  const t = useT();
  const client = useQueryClient();
  const [closes, setCloses] = useState(false);
  // What was done shows at once, also where the line is down.
  const load = () => void client.invalidateQueries({ queryKey: feedbackKey });
  if (status === "CLOSED") return null;
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      {status === "OPEN" && !closes && (
        <>
          <p className="text-sm text-muted">
            {t(memberId ? "letters.answer_member" : "letters.answer_visitor")}
          </p>
          <AnswerForm
            language={language}
            action={t("letters.send")}
            onAnswer={(answer) => answerFeedback(id, answer).finally(load)}
            onDone={() => {
              toast(t("letters.sent"), "good");
              onClose();
            }}
          />
        </>
      )}
      {closes ? (
        <ReasonForm
          action={t("letters.close")}
          onReason={(reason) => closeFeedback(id, reason).finally(load)}
          onDone={() => {
            toast(t("letters.is_closed"), "good");
            onClose();
          }}
        />
      ) : (
        <Button size="sm" className="justify-self-start" onClick={() => setCloses(true)}>
          {t(status === "OPEN" ? "letters.close_unanswered" : "letters.close")}
        </Button>
      )}
    </div>
  );
}
