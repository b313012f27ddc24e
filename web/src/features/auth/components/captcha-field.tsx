import type { ComponentProps } from "react";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";
import type { Captcha } from "../use-captcha";

type Props = Omit<ComponentProps<typeof Field>, "label"> & { captcha: Captcha };

/** A picture to copy, or a question in words for those who do not see it. */
export function CaptchaField({ captcha, ...field }: Props) {
  const t = useT();
  const { kind, refresh } = captcha;
  const other = kind === "image" ? "question" : "image";
  return (
    <div className="grid gap-2">
      <div className="flex min-h-16 items-center justify-between gap-2 sm:justify-start">
        <CaptchaShown shown={captcha.shown} />
        <IconButton icon="refresh" label={t("captcha.another")} onClick={() => refresh()} />
      </div>
      <Field
        {...field}
        starred
        label={t(kind === "image" ? "captcha.label" : "captcha.answer")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <button
        type="button"
        className="min-h-11 justify-self-start text-sm underline underline-offset-4"
        onClick={() => refresh(other)}
      >
        {t(kind === "image" ? "captcha.cannot_see" : "captcha.picture_again")}
      </button>
    </div>
  );
}

function CaptchaShown({ shown }: Pick<Captcha, "shown">) {
  const t = useT();
  if (!shown) return <Skeleton className="h-16 w-53" />;
  if (shown.kind === "fault") {
    return (
      <p role="alert" className="text-sm text-live-text">
        {errorText(shown.error, t)}
      </p>
    );
  }
  if (shown.kind === "question") {
    return (
      <p role="status" className="font-semibold" data-name>
        {shown.content}
      </p>
    );
  }
  return (
    <img
      src={`data:image/png;base64,${shown.content}`}
      alt={t("captcha.image")}
      className="h-16 rounded-xs border border-line"
    />
  );
}
