import { useQuery } from "@tanstack/react-query";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { useAddress } from "../address";
import { timeText } from "../clock";
import type { Column } from "../table/data-table";
import { type Feedback, feedbackQuery } from "./api";
import { FeedbackDialog } from "./feedback-dialog";
import { queryOf } from "./filter";
import { InboxList } from "./inbox-list";
import { ItemLink, StateWord } from "./parts";
import { feedbackStates, questionText } from "./words";

/** What members and visitors write to the house; it changes by itself. */
export default function FeedbackPage() {
  const t = useT();
  const rows = useQuery(feedbackQuery(queryOf(useAddress(), feedbackStates)));
  return (
    <InboxList
      path="/feedback"
      title="office.feedback"
      states={feedbackStates}
      columns={columnsOf(t)}
      rows={rows}
    >
      {(feedback, close) => (
        <FeedbackDialog key={feedback.id} feedback={feedback} onClose={close} />
      )}
    </InboxList>
  );
}

function columnsOf(t: Translate): readonly Column<Feedback>[] {
  return [
    {
      id: "content",
      label: t("letters.message"),
      isFixed: true,
      cell: ({ id, content }) => <ItemLink path="/feedback" id={id} text={content} />,
    },
    {
      id: "about",
      label: t("letters.about"),
      cell: ({ questionType }) => questionText(questionType, t),
    },
    {
      id: "who",
      label: t("letters.writer"),
      cell: ({ account }) => (account ? <span data-name>{account}</span> : t("letters.visitor")),
    },
    {
      id: "at",
      label: t("letters.written_at"),
      cell: ({ createdAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(createdAt)}</span>
      ),
    },
    { id: "state", label: t("letters.state"), cell: ({ status }) => <StateWord state={status} /> },
    {
      id: "site",
      label: t("letters.site"),
      isExtra: true,
      cell: ({ merchant }) => <span data-name>{merchant}</span>,
    },
    {
      id: "by",
      label: t("letters.answered_by"),
      isExtra: true,
      cell: ({ answeredBy }) => <span data-name>{answeredBy ?? "–"}</span>,
    },
  ];
}
