import { Link, useNavigate } from "@tanstack/react-router";
import { CategoryLinks, PopularGrid } from "@/features/games/components/elsewhere";
import { SearchField } from "@/features/games/components/filter-bar";
import { useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";

/** An address that leads nowhere: say so, and help to find what was looked for. */
export default function NotFound() {
  const t = useT();
  const navigate = useNavigate();
  const search = (q: string) => void navigate({ to: "/search", search: q ? { q } : {} });
  return (
    <div className="grid gap-10">
      <section className="leaf-lg relative grid content-center justify-items-start gap-5 overflow-hidden border border-line bg-surface p-6 sm:p-14">
        <div
          className="lattice lattice-right absolute inset-y-0 right-0 w-3/5 max-sm:top-auto max-sm:h-1/4 max-sm:w-full"
          aria-hidden="true"
        />
        <p className="figures relative text-8xl text-accent-text">{t("not_found.number")}</p>
        <h1 className="display relative text-3xl sm:text-4xl">{t("not_found.title")}</h1>
        <p className="relative max-w-[46ch] text-muted">{t("not_found.text")}</p>
        <div className="relative w-full max-w-lg bg-surface">
          <SearchField value="" onSearch={search} />
        </div>
        <div className="relative flex flex-wrap gap-3">
          <Link to="/" className={buttonClass("main", "md")}>
            {t("not_found.home")}
          </Link>
          <CategoryLinks />
        </div>
      </section>
      <section className="grid gap-4" aria-labelledby="popular">
        <h2 id="popular" className="display text-xl">
          {t("cat.popular")}
        </h2>
        <PopularGrid />
      </section>
    </div>
  );
}
