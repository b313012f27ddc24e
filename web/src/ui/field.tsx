import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "./icon";

type FieldProps = ComponentProps<"input"> & {
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** A control inside the field, at its end. */
  end?: ReactNode;
  /** A star stands beside what must be filled in. */
  starred?: boolean | undefined;
};

export const fieldBox =
  "w-full min-h-12 rounded-xs border bg-canvas px-3.5 text-ink placeholder:text-muted/70 " +
  "border-line-strong aria-invalid:border-live";

/** A labelled input; error and hint are tied to it, so a screen reader says them with the field. */
export function Field({ label, error, hint, end, starred, className = "", ...input }: FieldProps) {
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className={`text-sm text-muted ${starred ? "starred" : ""}`}>
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-required={starred || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={`${fieldBox} ${end ? "pr-12" : ""}`}
        />
        {end && <div className="absolute inset-y-0 right-0.5 grid place-items-center">{end}</div>}
      </div>
      <FieldError id={`${id}-error`} text={error} />
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm text-live-text">
      <Icon name="alert" className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  );
}

/** A password input that can be shown; pasting and password managers work. */
export function PasswordField(props: Omit<FieldProps, "end" | "type">) {
  const t = useT();
  const [shown, setShown] = useState(false);
  const toggle = (
    <button
      type="button"
      aria-label={t("field.show_password")}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
      className="grid size-11 place-items-center leaf text-muted hover:text-ink"
    >
      <Icon name={shown ? "eyeOff" : "eye"} />
    </button>
  );
  return <Field {...props} type={shown ? "text" : "password"} end={toggle} />;
}

type CheckFieldProps = Omit<ComponentProps<"input">, "type"> & {
  label: ReactNode;
  error?: string | undefined;
};

export function CheckField({ label, error, ...input }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 cursor-pointer items-center gap-3 text-sm">
        <input
          {...input}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          className="check"
        />
        <span>{label}</span>
      </label>
      <FieldError id={id} text={error} />
    </div>
  );
}
