import { useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { OfficeLink, type OfficePath, useAddress } from "./address";

type OlderProps = {
  path: OfficePath;
  /** The id of the last row where there may be more behind it. */
  last: string | undefined;
};

/** Towards older rows page by page, and back to the latest; where one is stands in the address. */
export function Older({ path, last }: OlderProps) {
  const t = useT();
  const address = useAddress();
  return (
    <nav aria-label={t("office.paging")} className="flex gap-3 empty:hidden">
      {address["before"] && (
        <OfficeLink
          to={path}
          search={{ ...address, before: undefined }}
          className={buttonClass("plain", "sm")}
        >
          {t("office.latest")}
        </OfficeLink>
      )}
      {last && (
        <OfficeLink
          to={path}
          search={{ ...address, before: last }}
          className={buttonClass("plain", "sm")}
        >
          {t("office.older")}
        </OfficeLink>
      )}
    </nav>
  );
}
