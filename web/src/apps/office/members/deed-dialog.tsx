import { useQueryClient } from "@tanstack/react-query";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { toast } from "@/ui/toast";
import { reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { type MemberFile, memberKey } from "./api";
import { FormFailure } from "../form-failure";

/** Something that is done to an account: its name, what will happen, and what is said afterwards. */
export type Deed = {
  name: Key;
  text: Key;
  done: Key;
  send: (id: string, body: { reason: string }) => Promise<unknown>;
};

type DeedDialogProps = { member: MemberFile; deed: Deed; onClose: () => void };

/** Says what will happen, and asks why. */
export default function DeedDialog({ member, deed, onClose }: DeedDialogProps) {
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
        <FormFailure text={form.failure} />
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
