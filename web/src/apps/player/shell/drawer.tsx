import { Link } from "@tanstack/react-router";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Icon } from "@/ui/icon";
import { LanguageSelect } from "./language-select";
import { navItems } from "./nav";
import { ThemeChoices } from "./theme-toggle";

/** The side menu of a phone. */
export default function Drawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog onClose={onClose} className="drawer">
      <div className="grid content-start gap-6 p-5">
        <DialogTitle>{getBoot().merchant.name}</DialogTitle>
        <nav aria-label={t("nav.label")}>
          <ul className="grid border-y border-line">
            {navItems().map((item) => (
              <li key={item.label} className="border-line not-last:border-b">
                <Link
                  to={item.to}
                  onClick={onClose}
                  activeOptions={{ exact: item.to === "/" }}
                  className="rail-link flex min-h-13 items-center gap-4 font-semibold"
                >
                  <Icon name={item.icon} className="size-5 text-muted" />
                  {t(item.label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <label className="grid gap-2 text-sm text-muted">
          {t("language.label")}
          <LanguageSelect className="w-full text-ink" />
        </label>
        <ThemeChoices />
      </div>
    </Dialog>
  );
}
