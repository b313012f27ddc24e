import { useEffect, useRef, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { FieldError } from "@/ui/field";
import { Icon } from "@/ui/icon";
import { internationalOf, usePhoneProof } from "../phone-proof";
import type { RegisterValues } from "../rules";

type Props = { form: UseFormReturn<RegisterValues>; error: string | undefined };

/** In the place of a code: the phone service proves the number of the form. Another number needs another proof. */
export default function PhoneProofField({ form: { control, setValue, trigger }, error }: Props) {
  const t = useT();
  const [mobileNum, countryDialingCode, idToken] = useWatch({
    control,
    name: ["mobileNum", "countryDialingCode", "idToken"],
  });
  const number = internationalOf({ mobileNum, countryDialingCode });
  const asked = useRef("");
  const [provedNumber, setProvedNumber] = useState("");
  const proof = usePhoneProof((token) => {
    setProvedNumber(asked.current);
    setValue("idToken", token, { shouldValidate: true });
  });
  const isResting = proof.left > 0 && !proof.waiting;
  const isProved = idToken !== "" && provedNumber === number;
  useEffect(() => {
    if (provedNumber !== number) setValue("idToken", "");
  }, [provedNumber, number, setValue]);
  const go = async () => {
    if (!(await trigger("mobileNum", { shouldFocus: true }))) return;
    asked.current = number;
    proof.prove({ mobileNum, countryDialingCode });
  };
  return (
    <div className="grid gap-1.5">
      {!isProved && (
        <Button busy={proof.waiting} disabled={isResting} onClick={() => void go()}>
          {isResting ? t("code.again_in", proof.left) : t("phone.verify")}
        </Button>
      )}
      <p role="status" className="flex items-center gap-2 text-sm text-muted">
        {isProved && <Icon name="check" className="size-5 shrink-0 text-win" />}
        {t(isProved ? "phone.proved" : proof.waiting ? "social.waiting" : "phone.hint")}
      </p>
      <FieldError id="phone-proof-error" text={proof.failure ? t(proof.failure) : error} />
    </div>
  );
}
