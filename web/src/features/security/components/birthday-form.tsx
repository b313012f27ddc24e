import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import { registerRulesQuery } from "@/features/auth/api-login";
import { dateFor, yearsBetween } from "@/features/auth/rules";
import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { todayIn } from "@/lib/time";
import { Button } from "@/ui/button";
import { CheckField, Field } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { changeProfile } from "../api";

type Values = { birthday: string; ofAge: boolean };

/** What is wrong with a birth date. */
function faultsOf({ birthday, ofAge }: Values, minimumAge: number, today: string) {
  const faults: Partial<Record<keyof Values, Key>> = {};
  if (birthday === "") faults.birthday = "field.required";
  else if (yearsBetween(birthday, today) < minimumAge) faults.birthday = "field.too_young";
  if (!ofAge) faults.ofAge = "field.of_age_required";
  return faults;
}

/** The birth date, which can be set once. */
export default function BirthdayForm({ onDone }: { onDone: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const { data } = useQuery(registerRulesQuery);
  const minimumAge = data?.minimumAge ?? 21;
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults((values) => {
      const today = todayIn(getBoot().merchant.timeZone);
      return faultsOf(values, minimumAge, today);
    }),
    defaultValues: { birthday: "", ofAge: false },
  });
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key, minimumAge);
  };
  const submit = handleSubmit(async ({ birthday, ofAge }) => {
    setFailure(null);
    try {
      const patternId = data?.rules["birthday"]?.patternId ?? "date_ymd";
      await changeProfile({ birthday: dateFor(patternId, birthday), ofAge });
      await client.invalidateQueries({ queryKey: memberQuery.queryKey });
      onDone();
    } catch (error) {
      if (!takeFieldErrors(error, ["birthday", "ofAge"], setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3 py-3">
      <FormAlert text={failure} />
      <Field
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the member has just asked for it
        autoFocus
        label={t("field.birthday")}
        hint={t("security.birthday_once")}
        type="date"
        autoComplete="bday"
        error={fault("birthday")}
        {...register("birthday")}
      />
      <CheckField
        label={t("auth.of_age", minimumAge)}
        error={fault("ofAge")}
        {...register("ofAge")}
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
