import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { Confirm } from "./confirm";
import { isAnythingUnsaved, lostBy } from "./unsaved";

const typed = {
  title: "office.leave",
  text: "office.leave_text",
  action: "office.leave_action",
} as const;
const secrets = {
  title: "office.secrets_leave",
  text: "office.secrets_leave_text",
  action: "office.secrets_done",
} as const;

/** What is typed is not lost without a word, nor what is shown once, whichever way the page is left. */
export function KeepUnsaved() {
  const [lost, setLost] = useState<ReturnType<typeof lostBy>>([]);
  const blocker = useBlocker({
    shouldBlockFn: ({ action, current, next }) => {
      const found = lostBy({
        isBrowsers: action !== "PUSH" && action !== "REPLACE",
        isSamePage: current.pathname === next.pathname,
      });
      setLost(found);
      return found.length > 0;
    },
    enableBeforeUnload: isAnythingUnsaved,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Confirm
      {...(lost.some(({ isShownOnce }) => isShownOnce) ? secrets : typed)}
      onClose={blocker.reset}
      onConfirm={() => {
        for (const { onLeave } of lost) onLeave?.();
        blocker.proceed();
      }}
    />
  );
}
