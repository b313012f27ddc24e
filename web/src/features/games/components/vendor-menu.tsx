import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Menu } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { imageAddress } from "@/lib/images";
import { Icon } from "@/ui/icon";
import type { CenterPath } from "../categories";

const shown = 11;

type VendorMenuProps = { path: CenterPath; menu: Menu; onClose: () => void };

/** The vendors of a category, beside its entry of the menu: eleven, and the way to the others. */
export default function VendorMenu({ path, menu, onClose }: VendorMenuProps) {
  const t = useT();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    <ul className="vendor-menu leaf-lg absolute top-0 left-full z-30 grid w-56 border border-line-strong bg-surface p-2">
      {menu.vendors.slice(0, shown).map((vendor) => (
        <li key={vendor.vassalage}>
          <Link
            to={path}
            search={{ vassalage: vendor.vassalage }}
            onClick={onClose}
            className="leaf flex min-h-11 items-center gap-3 px-3 text-sm hover:bg-raised"
          >
            <img
              src={imageAddress(vendor.images.color)}
              alt=""
              className="h-5 w-14 object-contain"
            />
            <span data-name="" className="truncate">
              {vendor.displayName}
            </span>
            <span className="figures ml-auto text-xs text-muted">{vendor.games}</span>
          </Link>
        </li>
      ))}
      <li>
        <Link
          to={path}
          onClick={onClose}
          className="leaf flex min-h-11 items-center justify-between gap-3 px-3 text-sm font-semibold hover:bg-raised"
        >
          {t("nav.more")}
          <Icon name="right" className="size-4 text-accent-text" />
        </Link>
      </li>
    </ul>
  );
}
