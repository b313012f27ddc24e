import { Link } from "@tanstack/react-router";
import { type CenterPath, iconOf, labelOf, pathOf } from "@/features/games/categories";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";

/** What each category is, in a sentence. */
const about: Readonly<Record<CenterPath, Key>> = {
  "/hot": "product.hot",
  "/rng": "product.rng",
  "/bingo": "product.bingo",
  "/live": "product.live",
  "/sports": "product.sports",
  "/esports": "product.esports",
  "/cockfight": "product.cockfight",
  "/pvp": "product.pvp",
  "/fish": "product.fish",
  "/lott": "product.lott",
  "/elott": "product.elott",
};

/** What can be played here. Only categories that have games are described. */
export function Products() {
  const t = useT();
  const paths = getBoot().menus.flatMap(({ gameCategory }) => pathOf(gameCategory) ?? []);
  return (
    <ul className="grid gap-x-10 gap-y-5 border-y border-line py-6 sm:grid-cols-2 xl:grid-cols-3">
      {paths.map((path) => (
        <li key={path} className="grid grid-cols-[auto_1fr] gap-x-3">
          <Icon name={iconOf(path)} className="mt-3 size-5 text-muted" />
          <div>
            <Link
              to={path}
              className="inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
            >
              {t(labelOf(path))}
            </Link>
            <p className="max-w-[44ch] text-sm text-muted">{t(about[path])}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
