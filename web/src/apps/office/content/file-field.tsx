import { useId, useState } from "react";
import { isApiError } from "@/lib/api/error";
import { errorText } from "@/lib/api/error-text";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { CopyText } from "@/ui/copy-text";
import { Field, FieldError } from "@/ui/field";
import { upload } from "./upload";
import { faultWord } from "./words";

const accepted = { image: "image/png,image/jpeg,image/webp", file: ".apk" } as const;

type FileFieldProps = {
  label: string;
  hint: string | undefined;
  isImage: boolean;
  /** Its address; empty for none. */
  value: string;
  /** The size is known of what was sent from here. */
  onChange: (url: string, bytes: number | null) => void;
  error: string | undefined;
};

/** A file by its address, or sent from this device. */
export function FileField({ label, hint, isImage, value, onChange, error }: FileFieldProps) {
  const t = useT();
  const id = useId();
  const { part, failure, send } = useUpload((url, bytes) => onChange(url, bytes));
  return (
    <div className="col-span-full grid gap-2">
      <div className="flex flex-wrap items-start gap-3">
        <Field
          className="min-w-56 grow basis-0"
          label={label}
          hint={hint}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value, null)}
          error={error}
        />
        {/* The label is the button: a file input has a look of its own. */}
        <label
          htmlFor={id}
          className={buttonClass(
            "plain",
            "sm",
            "mt-7 cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
          )}
        >
          {t(isImage ? "edit.upload_image" : "edit.upload_file")}
          <input
            id={id}
            type="file"
            accept={accepted[isImage ? "image" : "file"]}
            className="sr-only"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void send(file);
              // The same file can be chosen again.
              target.value = "";
            }}
          />
        </label>
      </div>
      {part !== null && (
        <progress
          aria-label={t("edit.uploading")}
          max={1}
          value={part}
          className="h-2 w-full accent-accent"
        />
      )}
      <FieldError id={`${id}-failure`} text={failure ?? undefined} />
      {value !== "" && (
        <div className="flex flex-wrap items-center gap-3">
          {isImage && (
            <img
              src={value}
              alt={t("edit.image_now")}
              className="leaf max-h-24 max-w-48 border border-line object-contain"
            />
          )}
          <CopyText label={label} value={value} />
        </div>
      )}
    </div>
  );
}

function uploadFault(error: unknown, t: Translate): string {
  if (isApiError(error, "request.unsupported_media_type")) return t("edit.fault_kind");
  const [fault] = isApiError(error) ? Object.entries(error.fields) : [];
  return fault ? t(faultWord(...fault)) : errorText(error, t);
}

function useUpload(onDone: (url: string, bytes: number) => void) {
  const t = useT();
  const [part, setPart] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async (file: File) => {
    setFailure(null);
    setPart(0);
    try {
      const { url, bytes } = await upload(file, setPart);
      onDone(url, bytes);
    } catch (error) {
      setFailure(uploadFault(error, t));
    } finally {
      setPart(null);
    }
  };
  return { part, failure, send };
}
