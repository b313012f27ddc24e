import { type UseFormReturn, useWatch } from "react-hook-form";
import { useT } from "@/lib/i18n/i18n";
import { CheckField } from "@/ui/field";
import { Worded } from "@/ui/worded";
import type { RegisterValues } from "../rules";

type Props = {
  form: UseFormReturn<RegisterValues>;
  fault: (name: keyof RegisterValues) => string | undefined;
  /** Asked beside a birth date. */
  minimumAge: number;
};

/** What the new member confirms. */
export function RegisterTicks({ form, fault, minimumAge }: Props) {
  const t = useT();
  const { register, control, formState } = form;
  const birthday = useWatch({ control, name: "birthday" });
  return (
    <div className="grid gap-2">
      {birthday !== "" && !formState.defaultValues?.ofAge && (
        <CheckField
          label={t("auth.of_age", minimumAge)}
          error={fault("ofAge")}
          {...register("ofAge")}
        />
      )}
      <CheckField label={t("auth.adult")} error={fault("adult")} {...register("adult")} />
      <CheckField label={<TermsText />} error={fault("terms")} {...register("terms")} />
    </div>
  );
}

/** The links open a page of their own, so that what was typed stays. */
function TermsText() {
  const t = useT();
  const look = "font-semibold underline underline-offset-4";
  return (
    <Worded text={t("auth.terms")}>
      <a href="/terms" target="_blank" rel="noopener" className={look}>
        {t("auth.terms_link")}
      </a>
      <a href="/privacy" target="_blank" rel="noopener" className={look}>
        {t("auth.privacy_link")}
      </a>
    </Worded>
  );
}
