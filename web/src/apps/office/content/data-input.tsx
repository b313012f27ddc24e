import { useQuery } from "@tanstack/react-query";
import { useLang, useT } from "@/lib/i18n/i18n";
import { ChoiceField } from "@/ui/choice-field";
import { Field } from "@/ui/field";
import { contentQuery } from "./api";
import { titleOf } from "./draft";
import { FileField } from "./file-field";
import type { DataField } from "./kinds";
import { sectionName } from "./places";

type DataInputProps = {
  merchant: string;
  field: DataField;
  value: string;
  /** A field may bring along what belongs to it. */
  onChange: (part: Record<string, string>) => void;
  error: string | undefined;
};

/** A field that is the same in all languages. */
export function DataInput(props: DataInputProps) {
  const { field, value, onChange, error } = props;
  const t = useT();
  const label = t(field.label);
  const set = (text: string) => onChange({ [field.name]: text });
  switch (field.shape) {
    case "choice":
      return (
        <ChoiceField
          label={label}
          value={value}
          onChange={({ target }) => set(target.value)}
          options={(field.choices ?? []).map((one) => ({ value: one.value, label: t(one.label) }))}
          error={error}
        />
      );
    case "section":
      return <SectionInput {...props} />;
    case "promotion":
      return <PromotionInput {...props} />;
    case "image":
    case "file":
      return (
        <FileField
          label={label}
          hint={field.hint && t(field.hint)}
          isImage={field.shape === "image"}
          value={value}
          onChange={(url, bytes) =>
            onChange({
              [field.name]: url,
              ...(field.shape === "file" && { bytes: bytes === null ? "" : String(bytes) }),
            })
          }
          error={error}
        />
      );
    default:
      return (
        <Field
          label={label}
          hint={field.hint && t(field.hint)}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={({ target }) => set(target.value)}
          error={error}
        />
      );
  }
}

function SectionInput({ merchant, field, value, onChange, error }: DataInputProps) {
  const t = useT();
  const lang = useLang();
  const { data = [] } = useQuery(contentQuery(merchant, "help_section"));
  return (
    <ChoiceField
      label={t(field.label)}
      value={value}
      onChange={({ target }) => onChange({ [field.name]: target.value })}
      options={[
        { value: "", label: t("settings.choose") },
        ...data.map((row) => ({ value: sectionName(row), label: titleOf(row, lang) })),
      ]}
      error={error}
    />
  );
}

/** The promotion that an announcement leads to; its type comes along. */
function PromotionInput({ merchant, field, value, onChange, error }: DataInputProps) {
  const t = useT();
  const lang = useLang();
  const { data = [] } = useQuery(contentQuery(merchant, "promotion"));
  const typeOf = (slug: string) =>
    String(data.find((row) => row.data["slug"] === slug)?.data["type"] ?? "");
  return (
    <ChoiceField
      label={t(field.label)}
      value={value}
      onChange={({ target }) =>
        onChange({ [field.name]: target.value, promotionType: typeOf(target.value) })
      }
      options={[
        { value: "", label: t("edit.goes_nowhere") },
        ...data.map((row) => ({
          value: String(row.data["slug"]),
          label: titleOf(row, lang),
        })),
      ]}
      error={error}
    />
  );
}
