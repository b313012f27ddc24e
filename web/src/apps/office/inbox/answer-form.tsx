import { useId } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { FieldError, fieldBox } from "@/ui/field";
import { useServerForm } from "../form";
import { answerFault, languageText } from "./words";
import { FormFailure } from "../form-failure";

type AnswerFormProps = {
  /** What the other reads. */
  language: string;
  action: string;
  onAnswer: (answer: string) => Promise<unknown>;
  onDone: () => void;
};

/** Writes to whoever wrote. */
export function AnswerForm({ language, action, onAnswer, onDone }: AnswerFormProps) {
  const t = useT();
  const id = useId();
  const form = useServerForm(
    { answer: "" },
    ({ answer }) => answerFault(answer),
    async ({ answer }) => {
      await onAnswer(answer.trim());
      onDone();
    },
  );
  const fault = form.fault("answer");
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
      <FormFailure text={form.failure} />
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm text-muted">
          {t("letters.answer")}
        </label>
        <textarea
          id={id}
          rows={6}
          maxLength={2000}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-error ${id}-hint` : `${id}-hint`}
          className={`${fieldBox} py-2.5`}
          {...form.register("answer")}
        />
        <FieldError id={`${id}-error`} text={fault} />
        <p id={`${id}-hint`} className="text-sm text-muted">
          {t("letters.answer_hint", languageText(language))}
        </p>
      </div>
      <Button type="submit" variant="main" busy={form.busy} className="justify-self-start">
        {action}
      </Button>
    </form>
  );
}
