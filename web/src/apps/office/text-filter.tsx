import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Field } from "@/ui/field";

type TextFilterProps = Omit<ComponentProps<typeof Field>, "value" | "onChange"> & {
  /** As the page is asked for it. */
  value: string;
  onSettle: (text: string) => void;
};

/** How long nothing is typed before it is looked for. */
const settleMs = 250;

/**
 * A text that is looked for. What is typed stands in the field at once, and is looked for when the hands rest; what the
 * page is asked for meanwhile does not overwrite what is being typed.
 */
export function TextFilter({ value, onSettle, ...field }: TextFilterProps) {
  const [text, setText] = useState({ typed: value, from: value, isTyping: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (text.from !== value) {
    setText({ ...text, from: value, ...(!text.isTyping && { typed: value }) });
  }
  const type = (typed: string) => {
    setText({ ...text, typed, isTyping: true });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setText((now) => ({ ...now, isTyping: false }));
      onSettle(typed);
    }, settleMs);
  };
  return <Field {...field} value={text.typed} onChange={(event) => type(event.target.value)} />;
}
