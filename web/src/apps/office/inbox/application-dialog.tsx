import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { toast } from "@/ui/toast";
import { timeText } from "../clock";
import { Fact, Facts } from "../panel";
import { useMay } from "../session";
import { AnswerForm } from "./answer-form";
import { type Application, affiliatesKey, decideAffiliate } from "./api";
import { StateWord, Writer } from "./parts";
import { contactText, languageText } from "./words";

type ApplicationDialogProps = { application: Application; onClose: () => void };

/** Who asks to become an affiliate, with what, and the decision. */
export function ApplicationDialog({ application, onClose }: ApplicationDialogProps) {
  const t = useT();
  const mayDecide = useMay("affiliates.write") && application.status === "OPEN";
  return (
    <Dialog onClose={onClose} className="sheet">
      <div className="grid content-start gap-5 p-5">
        <DialogTitle>
          <span data-name>{application.name}</span>
        </DialogTitle>
        {application.message && (
          <p data-name className="wrap-anywhere whitespace-pre-wrap">
            {application.message}
          </p>
        )}
        <ApplicationFacts application={application} />
        {application.answer && (
          <section className="leaf grid gap-2 border border-line p-3">
            <h3 className="font-semibold">{t("letters.answer")}</h3>
            <p data-name className="wrap-anywhere whitespace-pre-wrap">
              {application.answer}
            </p>
          </section>
        )}
        {mayDecide && <Decision application={application} onClose={onClose} />}
        {!mayDecide && application.status === "OPEN" && (
          <p className="text-sm text-muted">{t("letters.read_only")}</p>
        )}
      </div>
    </Dialog>
  );
}

function ApplicationFacts({ application }: { application: Application }) {
  const t = useT();
  const named: readonly [Key, string | null][] = [
    ["letters.audience", application.audience],
    ["letters.affiliate_code", application.affiliateCode],
    ["letters.referral_code", application.referralCode],
    ["letters.language", languageText(application.language)],
    ["letters.site", application.merchant],
    ["letters.decided_by", application.decidedBy],
  ];
  return (
    <Facts>
      <Fact label={t("letters.state")}>
        <StateWord state={application.status} />
      </Fact>
      <Fact label={t("office.member")}>
        <Writer {...application} />
      </Fact>
      <Fact label={contactText(application.contactKind, t)}>
        <span data-name>{application.contact}</span>
      </Fact>
      {named.map(
        ([label, value]) =>
          value && (
            <Fact key={label} label={t(label)}>
              <span data-name>{value}</span>
            </Fact>
          ),
      )}
      <Fact label={t("letters.written_at")}>{timeText(application.createdAt)}</Fact>
      {application.decidedAt && (
        <Fact label={t("letters.decided_at")}>{timeText(application.decidedAt)}</Fact>
      )}
    </Facts>
  );
}

function Decision({ application: { id, language }, onClose }: ApplicationDialogProps) {
  const t = useT();
  const client = useQueryClient();
  const [accepted, setAccepted] = useState<boolean | null>(null);
  if (accepted === null) {
    return (
      <div className="flex flex-wrap gap-3 border-t border-line pt-4">
        <Button variant="main" size="sm" onClick={() => setAccepted(true)}>
          {t("letters.accept")}
        </Button>
        <Button size="sm" onClick={() => setAccepted(false)}>
          {t("letters.refuse")}
        </Button>
      </div>
    );
  }
  const action = t(accepted ? "letters.accept" : "letters.refuse");
  return (
    <section className="grid gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">{action}</h3>
      <AnswerForm
        key={String(accepted)}
        language={language}
        action={action}
        onAnswer={(answer) =>
          // What was decided shows at once, also where the line is down.
          decideAffiliate(id, { accepted, answer }).finally(
            () => void client.invalidateQueries({ queryKey: affiliatesKey }),
          )
        }
        onDone={() => {
          toast(t("letters.decided"), "good");
          onClose();
        }}
      />
      <Button
        size="sm"
        variant="quiet"
        className="justify-self-start"
        onClick={() => setAccepted(null)}
      >
        {t("letters.back")}
      </Button>
    </section>
  );
}
