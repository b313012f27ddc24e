import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { getBoot, isSwitchedOn } from "@/lib/boot/boot";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { warn } from "@/lib/popup/popup";
import { todayIn } from "@/lib/time";
import { Button } from "@/ui/button";
import { DialogTitle, useLateFocus } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import { PopupBand } from "@/ui/popup-band";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { memberQuery } from "../api";
import {
  type RegisterRules,
  checkInvitation,
  completeRegistration,
  registerRulesQuery,
} from "../api-login";
import { useCountries } from "../countries";
import { invitation } from "../invitation";
import { takenField } from "../registration";
import { type NumberProof, type RegisterValues, checkForm, completionFields } from "../rules";
import { emptyForm, knownFields, patternText, rangeText, textOf } from "../rules";
import { useSms } from "../sms";
import { useCaptcha } from "./captcha-field";
import { RegisterFields } from "./register-fields";
import { RegisterTicks } from "./register-ticks";

/** What everybody tells who registers, asked of those who came through a provider. They can go on looking without it. */
export default function CompletePopup({ close }: { close: () => void }) {
  const t = useT();
  const { data, error } = useQuery(registerRulesQuery);
  return (
    <>
      <PopupBand />
      <div className="grid grid-cols-1 gap-4 p-6">
        <DialogTitle>{t("complete.title")}</DialogTitle>
        <p className="text-muted">{t("complete.text")}</p>
        {data && <CompleteForm {...data} close={close} />}
        {!data &&
          (error ? <FormAlert text={errorText(error, t)} /> : <Skeleton className="h-85" />)}
      </div>
    </>
  );
}

/** What shows that a number is one's own, where the site asks for it. */
function numberProof(): NumberProof {
  if (!isSwitchedOn("REGMOBVERF3")) return null;
  return getBoot().phoneService === null ? "verificationCode" : "idToken";
}

type Props = { rules: RegisterRules; minimumAge: number; close: () => void };

function CompleteForm({ rules, minimumAge, close }: Props) {
  const t = useT();
  const ref = useLateFocus<HTMLFormElement>();
  const client = useQueryClient();
  const { data: member } = useQuery(memberQuery);
  const [linked, setLinked] = useState(() => invitation(sessionStorage).affiliateCode);
  const [failure, setFailure] = useState<string | null>(null);
  const { countries, usual } = useCountries();
  const fields = completionFields(rules, {
    known: knownFields(member),
    invited: linked !== undefined,
    proof: numberProof(),
  });
  const form = useForm<RegisterValues>({
    resolver: byFaults((values) =>
      checkForm(values, fields, { minimumAge }, todayIn(getBoot().merchant.timeZone)),
    ),
    defaultValues: emptyForm(usual),
  });
  const { handleSubmit, formState, setError, setValue } = form;
  const sender = useSms("register", form);
  const captcha = useCaptcha(false);
  const shapeOf = (name: string) => fields.find((field) => field.name === name)?.shape;
  const fault = (name: keyof RegisterValues) => {
    const message = formState.errors[name]?.message as Key | undefined;
    const shape = shapeOf(name);
    if (!message || !shape || name === "birthday") return message && t(message, minimumAge);
    return t(message, rangeText(shape, t));
  };
  const finish = async () => {
    await client.invalidateQueries({ queryKey: memberQuery.queryKey });
    // What was refused until now: the game that was to be opened, say.
    void client.refetchQueries({ predicate: ({ state }) => state.status === "error" });
    close();
    toast(t("complete.done"), "good");
  };
  const explain = (error: unknown) => {
    const known = [...fields.map(({ name }) => name), "ofAge"] as const;
    const word = (name: string, code: string) => {
      const shape = shapeOf(name);
      return code === "pattern" && shape ? patternText(shape.patternId) : undefined;
    };
    // A proof is good once, for some minutes.
    if (isApiError(error, "session.phone_unverified")) setValue("idToken", "");
    const taken = takenField(error, "username");
    if (taken) setError(taken.name, { type: "server", message: taken.text }, { shouldFocus: true });
    else if (takeFieldErrors(error, known, setError, word)) return;
    else if (isApiError(error, "member.invitation_code")) {
      // A wrong code of a link stands in no field: it is shown one, where it can be left out.
      setLinked(undefined);
      warn("invitation_code_error");
    } else setFailure(errorText(error, t));
  };
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    const filled = fields.filter((field) => textOf(values, field) !== "");
    const typed = Object.fromEntries(
      filled.map((field) => [field.name, textOf(values, field)] as const),
    );
    const affiliateCode = linked ?? typed["affiliateCode"];
    try {
      if (affiliateCode) await checkInvitation(affiliateCode);
      await completeRegistration({
        ...typed,
        ...(affiliateCode && { affiliateCode }),
        ...(typed["mobileNum"] && { countryDialingCode: values.countryDialingCode }),
        isAdult: values.adult,
        ofAge: values.ofAge,
        acceptsTerms: values.terms,
      });
      await finish();
    } catch (error) {
      // Another page was faster.
      if (isApiError(error, "member.already_set")) await finish();
      else explain(error);
    }
  });
  return (
    <form
      ref={ref}
      noValidate
      onSubmit={(event) => void submit(event)}
      className="grid grid-cols-1 gap-4"
    >
      <FormAlert text={failure} />
      <RegisterFields
        fields={fields}
        form={form}
        fault={fault}
        countries={countries}
        captcha={captcha}
        sender={sender}
      />
      <RegisterTicks form={form} fault={fault} minimumAge={minimumAge} />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("complete.send")}
      </Button>
    </form>
  );
}
