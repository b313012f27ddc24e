import { Link } from "@tanstack/react-router";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Icon } from "@/ui/icon";
import { LanguageSelect } from "./language-select";
import { type NavItem, navItems } from "./nav";
import { Outline, type OutlineName } from "./outline";
import { Service } from "./service";
import { ThemeChoices } from "./theme-toggle";

const row = "rail-link flex min-h-13 w-full items-center gap-4 text-left font-semibold";
const line = "border-line not-last:border-b";

const more = [
  { to: "/down", label: "shell.app", icon: "phone" },
  { to: "/join", label: "footer.affiliates", icon: "team" },
] as const satisfies readonly { to: string; label: Key; icon: OutlineName }[];

/** The side menu of a phone. */
export default function Drawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  const openHelp = () => {
    onClose();
    openPopup("help", {});
  };
  return (
    <Dialog onClose={onClose} className="drawer">
      <div className="grid content-start gap-6 p-5">
        <DialogTitle>{getBoot().merchant.name}</DialogTitle>
        <nav aria-label={t("nav.label")}>
          <ul className="grid border-y border-line">
            {navItems().map((item) => (
              <li key={item.label} className={line}>
                <DrawerEntry item={item} onClose={onClose} />
              </li>
            ))}
          </ul>
        </nav>
        <ul className="grid border-y border-line">
          <li className={line}>
            <Service onOpen={onClose} className={row}>
              <Icon name="headset" className="size-5 text-muted" />
              {t("service")}
            </Service>
          </li>
          <li className={line}>
            <button type="button" onClick={openHelp} className={row}>
              <Outline name="help" className="size-5 text-muted" />
              {t("footer.help_center")}
            </button>
          </li>
          {more.map(({ to, label, icon }) => (
            <li key={to} className={line}>
              <Link to={to} onClick={onClose} className={row}>
                <Outline name={icon} className="size-5 text-muted" />
                {t(label)}
              </Link>
            </li>
          ))}
        </ul>
        <Places />
        <label className="grid gap-2 text-sm text-muted">
          {t("language.label")}
          <LanguageSelect className="w-full text-ink" />
        </label>
        <ThemeChoices />
      </div>
    </Dialog>
  );
}

function DrawerEntry({ item, onClose }: { item: NavItem; onClose: () => void }) {
  const t = useT();
  const content = (
    <>
      <Icon name={item.icon} className="size-5 text-muted" />
      {t(item.label)}
    </>
  );
  if (item.to !== undefined) {
    return (
      <Link
        to={item.to}
        onClick={onClose}
        activeOptions={{ exact: item.to === "/" }}
        className={row}
      >
        {content}
      </Link>
    );
  }
  const open = () => {
    onClose();
    item.open();
  };
  return (
    <button type="button" onClick={open} className={row}>
      {content}
    </button>
  );
}

/** Where else the brand is found. */
function Places() {
  const { social } = getBoot().links;
  if (social.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {social.map(({ label, url, type }) => (
        <li key={url}>
          <a
            data-name
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={label}
            className="leaf grid size-11 place-items-center border border-line text-muted"
          >
            <Outline name={type} />
          </a>
        </li>
      ))}
    </ul>
  );
}
