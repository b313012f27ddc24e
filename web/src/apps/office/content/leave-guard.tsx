import { useBlocker } from "@tanstack/react-router";
import { Confirm } from "../confirm";

type LeaveGuardProps = {
  isChanged: boolean;
  isFree: { readonly current: boolean };
  onLeave: () => void;
};

/** What is written is not lost without a word. */
export function LeaveGuard({ isChanged, isFree, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !isFree.current,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Confirm
      title="edit.leave"
      text="edit.leave_text"
      action="edit.leave_action"
      onClose={blocker.reset}
      onConfirm={() => {
        onLeave();
        blocker.proceed();
      }}
    />
  );
}
