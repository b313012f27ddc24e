import { useT } from "@/lib/i18n/i18n";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { rolesText } from "../rights";
import { useMe } from "../session";
import { LogOutButton } from "./log-out-button";
import { LanguageChoice } from "./preferences";
import { PageLinks } from "./side-nav";

/** The menu of a phone: the pages, who one is, the language, the way out. */
export function MenuDrawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  const me = useMe();
  return (
    <Dialog onClose={onClose} className="drawer">
      <div className="grid content-start gap-4 px-3 py-5">
        <div className="px-3">
          <DialogTitle>{t("office.title")}</DialogTitle>
          <p className="pt-2 font-semibold" data-name>
            {me.name}
          </p>
          <p className="text-sm text-muted">{rolesText(me.roles, t)}</p>
        </div>
        <nav aria-label={t("nav.label")} className="border-y border-line py-2">
          <PageLinks onFollow={onClose} />
        </nav>
        <LanguageChoice />
        <LogOutButton className="justify-self-start" />
      </div>
    </Dialog>
  );
}
