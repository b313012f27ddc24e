import { type ComponentProps, useId } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Field } from "@/ui/field";

const zones = Intl.supportedValuesOf("timeZone");

/** A time zone by its name; those that there are are offered. */
export function ZoneField(props: Omit<ComponentProps<typeof Field>, "label">) {
  const t = useT();
  const list = useId();
  return (
    <div>
      <Field label={t("settings.time_zone")} list={list} {...props} />
      <datalist id={list}>
        {zones.map((zone) => (
          <option data-name key={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </div>
  );
}
