import { useState } from "react";
import { useToken } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";
import { DialogTitle } from "@/ui/dialog";
import { Tabs } from "@/ui/tabs";
import type { QuestionType } from "../model";
import { FeedbackForm } from "./feedback-form";
import { OwnMessages } from "./own-messages";

type Props = { about?: QuestionType; close: () => void };
type View = "write" | "own";

/** Writes to the house, and shows a member what was written and answered. */
export default function FeedbackPopup({ about, close }: Props) {
  const t = useT();
  const isVisitor = useToken() === null;
  const [wanted, setWanted] = useState<View>("write");
  const tabs = [
    { id: "write" as const, label: t("inbox.write") },
    ...(isVisitor ? [] : [{ id: "own" as const, label: t("inbox.own") }]),
  ];
  const view = isVisitor ? "write" : wanted;
  return (
    <div className="popup-wide grid grid-cols-1 content-start gap-5 p-6">
      <DialogTitle>{t("inbox.title")}</DialogTitle>
      <Tabs label={t("inbox.views")} tabs={tabs} current={view} onChange={setWanted}>
        {view === "own" ? (
          <OwnMessages onWrite={() => setWanted("write")} />
        ) : (
          <FeedbackForm
            about={about}
            isVisitor={isVisitor}
            onSent={() => (isVisitor ? close() : setWanted("own"))}
          />
        )}
      </Tabs>
    </div>
  );
}
