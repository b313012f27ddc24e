import { type ComponentProps, useId } from "react";
import { FieldError } from "@/ui/field";

type SelectInputProps = ComponentProps<"select"> & {
  label: string;
  error?: string | undefined;
  options: readonly { value: string; label: string }[];
};

/** A labelled choice of a form. */
export function SelectInput({ label, error, options, ...select }: SelectInputProps) {
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
        className="select min-h-12 w-full rounded-xs border border-line-strong bg-canvas pl-3.5"
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
