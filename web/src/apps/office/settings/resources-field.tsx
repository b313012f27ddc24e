import { type ComponentProps, useId } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { FieldError, fieldBox } from "@/ui/field";
import type { Resource } from "./api";

const types = ["LANDING", "YOUTUBE", "INSTAGRAM", "FACEBOOK", "TELEGRAM"] as const;
const nothing: Resource = { labelNameEn: "", name: "", resourceType: "TELEGRAM", url: "" };

type ResourcesFieldProps = {
  resources: Resource[];
  onChange: (resources: Resource[]) => void;
  error: string | undefined;
};

/** Links to where the brand is found outside its site. */
export function ResourcesField({ resources, onChange, error }: ResourcesFieldProps) {
  const t = useT();
  const id = useId();
  const set = (index: number, part: Partial<Resource>) =>
    onChange(resources.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <fieldset className="grid gap-3" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="pb-1 text-sm text-muted">{t("settings.resources")}</legend>
      {resources.length === 0 && <p className="text-sm">{t("settings.resources_none")}</p>}
      {resources.map((one, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- links have no id, and rows keep their place
        <div key={index} className="grid gap-2 border-b border-line pb-3 sm:grid-cols-2">
          <Input
            label={t("settings.resource_label")}
            value={one.labelNameEn}
            onChange={({ target }) => set(index, { labelNameEn: target.value })}
          />
          <Input
            label={t("settings.resource_name")}
            value={one.name}
            onChange={({ target }) => set(index, { name: target.value })}
          />
          <label className="grid gap-1 text-sm text-muted">
            {t("settings.resource_type")}
            <select
              value={one.resourceType}
              onChange={({ target }) =>
                set(index, { resourceType: target.value as Resource["resourceType"] })
              }
              className="select min-h-12 rounded-xs border border-line-strong bg-canvas pl-3.5 text-base text-ink"
            >
              {types.map((type) => (
                <option data-name key={type}>
                  {type}
                </option>
              ))}
            </select>
          </label>
          <Input
            type="url"
            label={t("settings.resource_url")}
            value={one.url}
            onChange={({ target }) => set(index, { url: target.value })}
          />
          <Button
            size="sm"
            variant="quiet"
            className="justify-self-start"
            aria-label={t("settings.resource_remove", one.labelNameEn || String(index + 1))}
            onClick={() => onChange(resources.filter((_, at) => at !== index))}
          >
            {t("settings.remove")}
          </Button>
        </div>
      ))}
      <FieldError id={`${id}-error`} text={error} />
      <Button
        size="sm"
        className="justify-self-start"
        onClick={() => onChange([...resources, nothing])}
      >
        {t("settings.resource_add")}
      </Button>
    </fieldset>
  );
}

function Input({ label, ...input }: ComponentProps<"input"> & { label: string }) {
  return (
    <label className="grid gap-1 text-sm text-muted">
      {label}
      <input {...input} autoComplete="off" spellCheck={false} className={`${fieldBox} text-base`} />
    </label>
  );
}
