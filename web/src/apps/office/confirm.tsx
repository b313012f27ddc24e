import type { Key } from "@/lib/i18n/i18n";
import ConfirmPopup from "@/ui/confirm-popup";
import { Dialog } from "@/ui/dialog";

type ConfirmProps = {
  title: Key;
  text: Key;
  action: Key;
  onClose: () => void;
  onConfirm: () => void;
};

/** Asks before something is done that cannot be undone. */
export function Confirm({ onClose, onConfirm, ...question }: ConfirmProps) {
  return (
    <Dialog onClose={onClose}>
      <ConfirmPopup
        {...question}
        resolve={(sure) => {
          if (sure) onConfirm();
        }}
        close={onClose}
      />
    </Dialog>
  );
}
