import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { imageAddress } from "@/lib/images";

const most = 12;

/** Whose games are played here. */
export function VendorLogos() {
  const t = useT();
  const vendors = new Map(
    getBoot().menus.flatMap(({ vendors }) => vendors.map((vendor) => [vendor.vassalage, vendor])),
  );
  if (vendors.size === 0) return null;
  return (
    <ul aria-label={t("footer.vendors")} className="flex flex-wrap items-center gap-x-8 gap-y-4">
      {[...vendors.values()].slice(0, most).map(({ vassalage, displayName, images }) => (
        <li key={vassalage}>
          <img
            data-name
            src={imageAddress(images.default)}
            alt={displayName}
            loading="lazy"
            className="vendor-logo h-7 w-24 object-contain opacity-80"
          />
        </li>
      ))}
    </ul>
  );
}
