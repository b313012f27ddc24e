import { type ComponentProps, useId } from "react";
import { useT } from "@/lib/i18n/i18n";
import { FieldError, fieldBox } from "./field";

type MobileFieldProps = {
  countries: readonly { countryCode: string; countryDialingCode: string; name: string }[];
  error?: string | undefined;
  hint?: string | undefined;
  /** A star stands beside what must be filled in. */
  starred?: boolean;
  number: ComponentProps<"input">;
  dial: ComponentProps<"select">;
};

/** A mobile number: the country's code, then the number as people write it. */
export function MobileField({ countries, error, hint, starred, number, dial }: MobileFieldProps) {
  const t = useT();
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={`text-sm text-muted ${starred ? "starred" : ""}`}>
        {t("field.mobile")}
      </label>
      <div className="grid grid-cols-[7rem_1fr] gap-2">
        <select
          {...dial}
          aria-label={t("field.dialing_code")}
          className="select min-h-12 rounded-xs border border-line-strong bg-canvas pl-3"
        >
          {countries.map(({ countryCode, countryDialingCode, name }, index) => (
            // The first is there before the others are: it keeps its element, and so it stays chosen when they come.
            <option
              data-name
              key={index === 0 ? "first" : countryCode}
              title={name}
              value={countryDialingCode}
            >
              {`+${countryDialingCode.replace("+", "")} ${countryCode}`}
            </option>
          ))}
        </select>
        <input
          {...number}
          id={id}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          aria-required={starred || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={fieldBox}
        />
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
