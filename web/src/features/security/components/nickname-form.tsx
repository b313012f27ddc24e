import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import { registerRulesQuery } from "@/features/auth/api-login";
import { rangeText, shapeFault } from "@/features/auth/rules";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { changeProfile } from "../api";

type Values = { nickname: string };
const usual = { minLength: 2, maxLength: 24, patternId: "any" };

export default function NicknameForm({
  nickname,
  onDone,
}: {
  nickname: string;
  onDone: () => void;
}) {
  const t = useT();
  const client = useQueryClient();
  const { data } = useQuery(registerRulesQuery);
  const shape = data?.rules["nickname"] ?? usual;
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults(({ nickname }) => {
      const fault = shapeFault(shape, nickname.trim());
      return fault ? { nickname: fault } : {};
    }),
    defaultValues: { nickname },
  });
  const message = formState.errors.nickname?.message;
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    try {
      await changeProfile({ nickname: values.nickname.trim() });
      await client.invalidateQueries({ queryKey: memberQuery.queryKey });
      onDone();
    } catch (error) {
      if (!takeFieldErrors(error, ["nickname"], setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3 py-3">
      <FormAlert text={failure} />
      <Field
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the member has just asked for it
        autoFocus
        label={t("field.nickname")}
        autoComplete="nickname"
        error={message && t(message as Key, rangeText(shape, t))}
        {...register("nickname")}
      />
      <div className="flex gap-3">
        <Button onClick={onDone}>{t("popup.cancel")}</Button>
        <Button type="submit" variant="main" busy={formState.isSubmitting}>
          {t("security.save")}
        </Button>
      </div>
    </form>
  );
}
