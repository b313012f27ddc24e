import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import { toast } from "@/ui/toast";
import { reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import type { Right } from "../rights";
import { may, useMe } from "../session";
import {
  type MemberFile,
  askForPassword,
  closeAccount,
  endSessions,
  freeze,
  memberKey,
  unfreeze,
} from "./api";
import { CorrectionDialog } from "./correction-dialog";

/** Something that can be done to an account, what happens then, and when it can be done. */
type Deed = {
  id: string;
  name: Key;
  text: Key;
  done: Key;
  right: Right;
  fits: (member: MemberFile) => boolean;
  send: (id: string, body: { reason: string }) => Promise<unknown>;
};

const deeds: readonly Deed[] = [
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
  const [asks, setAsks] = useState<Deed | "correction" | null>(null);
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
      {asks === "correction" && <CorrectionDialog member={member} onClose={close} />}
      {asks && asks !== "correction" && <DeedDialog member={member} deed={asks} onClose={close} />}
    </div>
  );
}

type DeedDialogProps = { member: MemberFile; deed: Deed; onClose: () => void };

/** Says what will happen, and asks why. */
function DeedDialog({ member, deed, onClose }: DeedDialogProps) {
  const t = useT();
  const client = useQueryClient();
  const form = useServerForm<{ reason: string }>(
    { reason: "" },
    ({ reason }) => reasonFault(reason),
    async (body) => {
      try {
        await deed.send(member.id, body);
        onClose();
        toast(t(deed.done), "good");
      } finally {
        // Refused or not: the account may be another than the page believed.
        await client.invalidateQueries({ queryKey: memberKey(member.id) });
      }
    },
  );
  return (
    <Dialog onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4 p-6">
        <DialogTitle>{t(deed.name)}</DialogTitle>
        <p>
          <strong data-name>{member.account}</strong>
        </p>
        <p className="text-muted">{t(deed.text)}</p>
        <FormAlert text={form.failure} />
        <ReasonField field={form.register("reason")} error={form.fault("reason")} />
        <div className="flex flex-wrap gap-3">
          <Button data-autofocus onClick={onClose}>
            {t("popup.cancel")}
          </Button>
          <Button type="submit" variant="main" busy={form.busy} className="grow">
            {t(deed.name)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
