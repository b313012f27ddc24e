import { create } from "zustand";

const useDialogs = create<{ open: readonly HTMLDialogElement[] }>(() => ({ open: [] }));

/** Notes a dialog that lies above all others now. Gives what takes it off. */
export function dialogOpened(dialog: HTMLDialogElement): () => void {
  useDialogs.setState(({ open }) => ({ open: [...open, dialog] }));
  return () =>
    useDialogs.setState(({ open }) => ({ open: open.filter((other) => other !== dialog) }));
}

/** The dialog above all others: everything else is inert. */
export const useTopDialog = () => useDialogs(({ open }) => open.at(-1));
