import { useQuery, useQueryClient } from "@tanstack/react-query";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { getBoot, isSwitchedOn } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import { PopupBand } from "@/ui/popup-band";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { memberQuery } from "../api";
import { type RegisterRules, completeRegistration, registerRulesQuery } from "../api-login";
import { type NumberProof, completionFields, knownFields } from "../completion";
import { type RegisterValues, textOf } from "../rules";
import { useInvitation } from "../use-invitation";
import { RuledForm, useRuledForm } from "./ruled-form";

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
  const client = useQueryClient();
  const { data: member } = useQuery(memberQuery);
  const { invited, withVerified } = useInvitation(rules);
  const fields = completionFields(rules, {
    known: knownFields(member),
    invited: invited.affiliateCode !== undefined,
    proof: numberProof(),
  });
  const ruled = useRuledForm({ fields, way: "username", minimumAge });
  const finish = async () => {
    await client.invalidateQueries({ queryKey: memberQuery.queryKey });
    // What was refused until now: the game that was to be opened, say.
    void client.refetchQueries({ predicate: ({ state }) => state.status === "error" });
    close();
    toast(t("complete.done"), "good");
  };
  const send = async (values: RegisterValues) => {
    const filled = fields.filter((field) => textOf(values, field) !== "");
    const typed = Object.fromEntries(
      filled.map((field) => [field.name, textOf(values, field)] as const),
    );
    const affiliateCode = invited.affiliateCode ?? typed["affiliateCode"];
    const completion = {
      ...typed,
      ...(affiliateCode && { affiliateCode }),
      ...(typed["mobileNum"] && { countryDialingCode: values.countryDialingCode }),
      isAdult: values.adult,
      ofAge: values.ofAge,
      acceptsTerms: values.terms,
    };
    try {
      await withVerified(affiliateCode, () => completeRegistration(completion));
    } catch (error) {
      // Unless another page was faster.
      if (!isApiError(error, "member.already_set")) throw error;
    }
    await finish();
  };
  return (
    <RuledForm ruled={ruled} send={send}>
      <Button type="submit" variant="main" busy={ruled.form.formState.isSubmitting}>
        {t("complete.send")}
      </Button>
    </RuledForm>
  );
}
