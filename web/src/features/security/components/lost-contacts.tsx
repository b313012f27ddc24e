import { useQuery } from "@tanstack/react-query";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { clockText } from "@/lib/time";
import { lostContactsQuery } from "../api";

/** Numbers and addresses that somebody else has proved to hold; nothing where there are none. */
export function LostContacts() {
  const t = useT();
  const { data = [] } = useQuery(lostContactsQuery);
  if (data.length === 0) return null;
  return (
    <section className="leaf-lg grid gap-3 border border-line bg-surface p-5">
      <h2 className="text-lg font-semibold">{t("security.lost_title")}</h2>
      <p className="max-w-[68ch] text-muted">{t("security.lost_text")}</p>
      <ul>
        {data.map(({ kind, masked, lostAt }) => (
          <li
            key={lostAt + kind}
            className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-line py-2 not-last:border-b"
          >
            <span className="figures" data-name>
              {masked || t(kind === "email" ? "field.email" : "field.mobile")}
            </span>
            <span className="text-sm text-muted figures">
              {clockText(new Date(lostAt), getBoot().merchant.timeZone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
