import type { ReactNode } from "react";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle, useLateFocus } from "@/ui/dialog";
import { reasonFault, useServerForm } from "./form";
import { ReasonField } from "./reason-field";
import { FormFailure } from "./form-failure";

type ReasonDialogProps = {
  title: string;
  /** What will happen. */
  text: string;
  action: string;
  onClose: () => void;
  /** Does it; the dialog closes when it is done, and says what went wrong otherwise. */
  onReason: (reason: string) => Promise<unknown>;
  children?: ReactNode;
};

/** Asks why before something is done. */
export function ReasonDialog({ title, text, onClose, ...form }: ReasonDialogProps) {
  return (
    <Dialog onClose={onClose}>
      <div className="grid gap-4 p-6">
        <DialogTitle>{title}</DialogTitle>
        <p className="text-muted">{text}</p>
        {form.children}
        <ReasonForm {...form} onDone={onClose} />
      </div>
    </Dialog>
  );
}

type ReasonFormProps = {
  action: string;
  onReason: (reason: string) => Promise<unknown>;
  onDone: () => void;
  /** It is there from the beginning, below what is to be read first. */
  isQuiet?: boolean;
};

/** A reason and a button. Where it comes in the place of a button, that button had the focus. */
export function ReasonForm({ action, onReason, onDone, isQuiet = false }: ReasonFormProps) {
  const ref = useLateFocus<HTMLFormElement>();
  const form = useServerForm(
    { reason: "" },
    ({ reason }) => reasonFault(reason),
    async ({ reason }) => {
      await onReason(reason.trim());
      onDone();
    },
  );
  return (
    <form ref={ref} noValidate onSubmit={form.onSubmit} className="grid gap-4">
      <FormFailure text={form.failure} />
      <ReasonField
        isFirst={!isQuiet}
        field={form.register("reason")}
        error={form.fault("reason")}
      />
      <Button type="submit" variant="main" busy={form.busy} className="justify-self-start">
        {action}
      </Button>
    </form>
  );
}
