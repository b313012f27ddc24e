import { type ComponentProps, useId } from "react";
import { FieldError, fieldBox } from "./field";

type TextAreaProps = ComponentProps<"textarea"> & {
  label: string;
  error?: string | undefined;
  /** How much stands there and how much may: shown below the field. */
  count?: { now: number; most: number };
  starred?: boolean;
};

/** A labelled field for several lines. */
export function TextArea({ label, error, count, starred, ...area }: TextAreaProps) {
  const id = useId();
  const described = [error && `${id}-error`, count && `${id}-count`].filter(Boolean).join(" ");
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={`text-sm text-muted ${starred ? "starred" : ""}`}>
        {label}
      </label>
      <textarea
        rows={5}
        {...area}
        id={id}
        aria-required={starred || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        className={`${fieldBox} py-3`}
      />
      <div className="flex justify-between gap-4">
        <FieldError id={`${id}-error`} text={error} />
        {count && (
          <p
            id={`${id}-count`}
            className={`ml-auto text-sm tabular-nums ${count.now > count.most ? "text-live-text" : "text-muted"}`}
          >
            {`${count.now} / ${count.most}`}
          </p>
        )}
      </div>
    </div>
  );
}
