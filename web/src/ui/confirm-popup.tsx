import { useT } from "@/lib/i18n/i18n";
import type { ConfirmProps } from "@/lib/popup/popup";
import { Button } from "./button";
import { DialogTitle } from "./dialog";

export default function ConfirmPopup({
  title,
  text,
  action,
  resolve,
  close,
}: ConfirmProps & { close: () => void }) {
  const t = useT();
  const answer = (confirmed: boolean) => {
    resolve(confirmed);
    close();
  };
  return (
    <div className="popup-small grid content-between gap-5 p-6">
      <DialogTitle>{t(title)}</DialogTitle>
      <p className="text-muted">{t(text)}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button data-autofocus onClick={() => answer(false)}>
          {t("popup.cancel")}
        </Button>
        <Button variant="main" onClick={() => answer(true)}>
          {t(action)}
        </Button>
      </div>
    </div>
  );
}
