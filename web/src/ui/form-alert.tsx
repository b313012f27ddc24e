import { useEffect, useRef } from "react";
import { Icon } from "./icon";

/** What is wrong with the form as a whole. It comes into view: a long form is sent from its end. */
export function FormAlert({ text }: { text: string | null }) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (text) ref.current?.scrollIntoView({ block: "nearest" });
  }, [text]);
  if (!text) return null;
  return (
    <p
      ref={ref}
      role="alert"
      className="leaf flex scroll-mt-20 scroll-mb-4 items-start gap-2.5 border border-live p-3 text-sm"
    >
      <Icon name="alert" className="mt-px size-5 shrink-0 text-live-text" />
      {text}
    </p>
  );
}
