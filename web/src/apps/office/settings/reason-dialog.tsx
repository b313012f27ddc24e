import type { ReactNode } from "react";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Icon } from "@/ui/icon";
import { reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { FormFailure } from "../form-failure";

type ReasonDialogProps = {
  title: ReactNode;
  /** What it does. */
  text?: string | undefined;
  /** Said before something that shuts people out. */
  warning?: string | undefined;
  action: string;
  onClose: () => void;
  /** Resolves once it is done; what it throws is shown. */
  onSave: (reason: string) => Promise<void>;
};

type Values = { reason: string };
const nothing: Values = { reason: "" };

/** Something that is done at one press, once it is said why. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, warning, action, onClose, onSave } = props;
  const form = useServerForm(
    nothing,
    ({ reason }) => reasonFault(reason),
    async ({ reason }) => {
      await onSave(reason);
      onClose();
    },
  );
  return (
    <Dialog onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4 p-6">
        <DialogTitle>{title}</DialogTitle>
        {text && <p className="text-muted">{text}</p>}
        {warning && <Warning text={warning} />}
        <FormFailure text={form.failure} />
        <ReasonField field={form.register("reason")} error={form.fault("reason")} />
        <Button type="submit" variant="main" busy={form.busy}>
          {action}
        </Button>
      </form>
    </Dialog>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <p className="leaf flex items-start gap-2.5 border border-live p-3 text-sm">
      <Icon name="alert" className="mt-px size-5 shrink-0 text-live-text" />
      {text}
    </p>
  );
}
