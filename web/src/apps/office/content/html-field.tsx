import { useId, useRef } from "react";
import { flushSync } from "react-dom";
import { useT } from "@/lib/i18n/i18n";
import { FieldError, fieldBox } from "@/ui/field";
import { type ToolId, applyTool, tools } from "./html-tools";

type HtmlFieldProps = {
  label: string;
  lang: string;
  value: string;
  error: string | undefined;
  onText: (text: string) => void;
};

/** HTML as it is, with a few tools that put marks around what is chosen. */
export function HtmlField({ label, lang, value, error, onText }: HtmlFieldProps) {
  const t = useT();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const use = (tool: ToolId) => {
    const field = area.current;
    if (!field) return;
    const { selectionStart: from, selectionEnd: to } = field;
    const made = applyTool(tool, { text: value, from, to });
    // The text has to be there before a part of it can be chosen.
    flushSync(() => onText(made.text));
    field.focus();
    field.setSelectionRange(made.from, made.to);
  };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <div>
        <div
          role="group"
          aria-label={t("edit.tools", label)}
          className="flex flex-wrap rounded-t-xs border border-b-0 border-line-strong"
        >
          {tools.map((tool) => (
            <button
              key={tool.id}
              type="button"
              onClick={() => use(tool.id)}
              className={`min-h-11 min-w-11 px-3 text-sm text-muted hover:bg-raised hover:text-ink disabled:opacity-50 ${looks[tool.id]}`}
            >
              {t(tool.label)}
            </button>
          ))}
        </div>
        <textarea
          ref={area}
          id={id}
          lang={lang}
          rows={12}
          spellCheck
          value={value}
          onChange={({ target }) => onText(target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className={`${fieldBox} block py-2.5 font-mono text-[0.8125rem]`}
        />
      </div>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

const looks: Readonly<Record<ToolId, string>> = {
  bold: "font-bold",
  italic: "italic",
  heading: "display",
  list: "",
  link: "underline underline-offset-4",
};
