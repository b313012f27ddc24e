import { Suspense, lazy, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button } from "@/ui/button";
import type { Right } from "../rights";
import { may, useMe } from "../session";
import {
  type MemberFile,
  askForPassword,
  closeAccount,
  endSessions,
  freeze,
  unfreeze,
} from "./api";
import type { Deed } from "./deed-dialog";

const CorrectionDialog = lazy(() => loadPart(() => import("./correction-dialog")));
const DeedDialog = lazy(() => loadPart(() => import("./deed-dialog")));

/** A deed, who may do it and to which accounts. */
type Offered = Deed & { id: string; right: Right; fits: (member: MemberFile) => boolean };

const deeds: readonly Offered[] = [
  {
    id: "unfreeze",
    name: "members.unfreeze",
    text: "members.unfreeze_text",
    done: "members.unfreeze_done",
    right: "members.write",
    fits: ({ state }) => state === "frozen",
    send: unfreeze,
  },
  {
    id: "freeze",
    name: "members.freeze",
    text: "members.freeze_text",
    done: "members.freeze_done",
    right: "members.write",
    fits: ({ state }) => state === "active",
    send: freeze,
  },
  {
    id: "password",
    name: "members.password",
    text: "members.password_text",
    done: "members.password_done",
    right: "members.write",
    fits: ({ state, hasPassword }) => state !== "closed" && hasPassword,
    send: askForPassword,
  },
  {
    id: "sessions",
    name: "members.end_all",
    text: "members.end_all_text",
    done: "members.end_all_done",
    right: "members.write",
    fits: ({ state }) => state === "active",
    send: endSessions,
  },
  {
    id: "close",
    name: "members.close",
    text: "members.close_text",
    done: "members.close_done",
    right: "members.close",
    fits: ({ state }) => state !== "closed",
    send: closeAccount,
  },
];

/** What can be done with this account by whoever looks. */
export function MemberActions({ member }: { member: MemberFile }) {
  const t = useT();
  const me = useMe();
  const [asks, setAsks] = useState<Offered | "correction" | null>(null);
  const open = deeds.filter(({ right, fits }) => may(me, right) && fits(member));
  const mayCorrect = may(me, "wallet.correct") && member.state !== "closed";
  const close = () => setAsks(null);
  return (
    <div className="flex flex-wrap gap-2">
      {open.map((deed) => (
        <Button key={deed.id} size="sm" onClick={() => setAsks(deed)}>
          {t(deed.name)}
        </Button>
      ))}
      {mayCorrect && (
        <Button size="sm" onClick={() => setAsks("correction")}>
          {t("members.correct")}
        </Button>
      )}
      <Suspense fallback={null}>
        {asks === "correction" && <CorrectionDialog member={member} onClose={close} />}
        {asks && asks !== "correction" && (
          <DeedDialog member={member} deed={asks} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}
