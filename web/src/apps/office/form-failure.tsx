import { useEffect, useRef } from "react";
import { FormAlert } from "@/ui/form-alert";

/** What is wrong with the form as a whole. It comes into view: a long form is sent from its end. */
export function FormFailure({ text }: { text: string | null }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text) ref.current?.scrollIntoView({ block: "nearest" });
  }, [text]);
  return (
    <div ref={ref} className="scroll-mt-20 scroll-mb-4 empty:hidden">
      <FormAlert text={text} />
    </div>
  );
}
