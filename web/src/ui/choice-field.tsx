import { type ComponentProps, useId } from "react";
import { FieldError, fieldBox } from "./field";

type ChoiceFieldProps = ComponentProps<"select"> & {
  label: string;
  error?: string | undefined;
  options: readonly { value: string; label: string }[];
};

/** A labelled choice of one among a few. */
export function ChoiceField({ label, error, options, ...select }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <select
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className={`${fieldBox} select pr-8`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
