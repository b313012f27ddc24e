import { useT } from "@/lib/i18n/i18n";
import type { NoticeProps } from "@/lib/popup/popup";
import { Button } from "./button";
import { DialogTitle } from "./dialog";

export default function NoticePopup({
  title,
  text,
  words,
  action,
  onAction,
  close,
}: NoticeProps & { close: () => void }) {
  const t = useT();
  return (
    <div className="popup-small grid content-between gap-5 p-6">
      <DialogTitle>{t(title)}</DialogTitle>
      <p className="wrap-anywhere text-muted">{words ?? t(text)}</p>
      <Button
        data-autofocus
        variant="main"
        onClick={() => {
          close();
          onAction?.();
        }}
      >
        {t(action)}
      </Button>
    </div>
  );
}
