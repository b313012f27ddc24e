import { Link } from "@tanstack/react-router";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";
import QrCode from "@/ui/qr-code";
import { Outline } from "./outline";
import { Service } from "./service";

const look =
  "leaf grid size-11 place-items-center text-muted hover:bg-raised hover:text-ink aria-expanded:bg-raised";
const panelId = "app-panel";

/** What stands at the right edge of wide screens: customer service, the app, and the brand's places elsewhere. */
export default function RightBar() {
  const t = useT();
  const close = () => document.getElementById(panelId)?.hidePopover();
  return (
    <>
      <ul className="grid gap-1">
        <li>
          <Service label={t("service")} className={look}>
            <Icon name="headset" />
          </Service>
        </li>
        <li>
          <button
            type="button"
            popoverTarget={panelId}
            aria-label={t("shell.app")}
            title={t("shell.app")}
            className={look}
          >
            <Outline name="qr" />
          </button>
        </li>
        {getBoot().links.social.map(({ label, url, type }) => (
          <li key={url}>
            <a
              data-name
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={label}
              title={label}
              className={look}
            >
              <Outline name={type} />
            </a>
          </li>
        ))}
      </ul>
      <div id={panelId} popover="auto" className="menu top-20 right-17 w-64">
        <div className="grid gap-4 p-5">
          <p className="display text-lg">{t("shell.app")}</p>
          <div className="flex items-center gap-4">
            <QrCode
              text={`${location.origin}/down`}
              label={t("shell.app_code")}
              className="size-20 shrink-0"
            />
            <p className="text-sm text-muted">{t("shell.app_text")}</p>
          </div>
          <Link
            to="/down"
            onClick={close}
            className="inline-flex min-h-11 items-center font-semibold text-accent-text underline underline-offset-4"
          >
            {t("shell.app_more")}
          </Link>
        </div>
      </div>
    </>
  );
}
