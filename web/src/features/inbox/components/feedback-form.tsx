import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { HumanNote } from "@/features/auth/components/human-note";
import { useSession } from "@/features/auth/session";
import { Button } from "@/ui/button";
import { ChoiceField } from "@/ui/choice-field";
import { Field } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { TextArea } from "@/ui/text-area";
import { toast } from "@/ui/toast";
import { ownFeedbackQuery, sendFeedback } from "../api";
import {
  type FeedbackForm as Values,
  type QuestionType,
  contentBounds,
  feedbackFaults,
  lengthOf,
  questionLabels,
  questionTypes,
} from "../model";

type Props = { about: QuestionType | undefined; isVisitor: boolean; onSent: () => void };
const names = ["questionType", "content", "contact"] as const;

export function FeedbackForm({ about = "ACCOUNT", isVisitor, onSent }: Props) {
  const t = useT();
  const client = useQueryClient();
  const proves = useSession().kind !== "member";
  const [failure, setFailure] = useState<string | null>(null);
  const { register, control, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults((values) => feedbackFaults(values, isVisitor)),
    defaultValues: { questionType: about, content: "", contact: "" },
  });
  const written = lengthOf(useWatch({ control, name: "content" }));
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key, contentBounds.min, contentBounds.max);
  };
  const submit = handleSubmit(async ({ questionType, content, contact }) => {
    setFailure(null);
    const feedback = { questionType, content: content.trim(), contact: contact.trim() || null };
    try {
      await sendFeedback(feedback, proves);
      await client.invalidateQueries({ queryKey: ownFeedbackQuery.queryKey });
      onSent();
      toast(t(isVisitor ? "inbox.sent_visitor" : "inbox.sent"), "good");
    } catch (error) {
      if (!takeFieldErrors(error, names, setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <p className="pt-1 text-muted">{t("inbox.lead")}</p>
      <FormAlert text={failure} />
      <ChoiceField
        data-autofocus
        label={t("inbox.about")}
        options={questionTypes.map((value) => ({ value, label: t(questionLabels[value]) }))}
        error={fault("questionType")}
        {...register("questionType")}
      />
      <TextArea
        label={t("inbox.content")}
        rows={6}
        starred
        error={fault("content")}
        count={{ now: written, most: contentBounds.max }}
        {...register("content")}
      />
      <Field
        label={t("inbox.contact")}
        hint={t(isVisitor ? "inbox.contact_visitor" : "inbox.contact_member")}
        starred={isVisitor}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        error={fault("contact")}
        {...register("contact")}
      />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("inbox.send")}
      </Button>
      <HumanNote busy={formState.isSubmitting && proves} />
    </form>
  );
}
