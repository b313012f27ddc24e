import { useT } from "@/lib/i18n/i18n";
import { type Lang, languageTag } from "@/lib/i18n/languages";
import { Field } from "@/ui/field";
import { TextArea } from "@/ui/text-area";
import type { PanelProps } from "./editor";
import { HtmlField } from "./html-field";
import { type TextField, kinds } from "./kinds";

type LanguagePanelProps = PanelProps & { language: { code: Lang; name: string } };

/** The words of one language. */
export function LanguagePanel({ kind, draft, set, faults, language }: LanguagePanelProps) {
  const t = useT();
  const { code, name } = language;
  const texts = draft.texts[code];
  return (
    <fieldset
      aria-labelledby={`words-${code}`}
      className="leaf grid min-w-0 content-start gap-3 border border-line bg-surface p-4"
    >
      <h3 id={`words-${code}`} className="display text-lg">
        <span data-name>{name}</span>
      </h3>
      {kinds[kind].texts.map((field) => {
        const fault = faults[`texts.${code}.${field.name}`];
        return (
          <TextInput
            key={field.name}
            field={field}
            lang={languageTag(code)}
            value={texts[field.name] ?? ""}
            error={fault && t(fault)}
            onText={(text) =>
              set({ texts: { ...draft.texts, [code]: { ...texts, [field.name]: text } } })
            }
          />
        );
      })}
    </fieldset>
  );
}

type TextInputProps = {
  field: TextField;
  lang: string;
  value: string;
  error: string | undefined;
  onText: (text: string) => void;
};

function TextInput({ field, onText, ...rest }: TextInputProps) {
  const t = useT();
  const label = t(field.label);
  if (field.shape === "html") return <HtmlField label={label} onText={onText} {...rest} />;
  const props = { label, ...rest };
  if (field.shape === "lines") {
    return <TextArea {...props} rows={2} onChange={({ target }) => onText(target.value)} />;
  }
  return <Field {...props} autoComplete="off" onChange={({ target }) => onText(target.value)} />;
}
