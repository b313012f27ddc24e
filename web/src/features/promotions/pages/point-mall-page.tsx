import { Link } from "@tanstack/react-router";
import { type Key, useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";

const plan: readonly { title: Key; text: Key }[] = [
  { title: "points.earn", text: "points.earn_text" },
  { title: "points.keep", text: "points.keep_text" },
  { title: "points.redeem", text: "points.redeem_text" },
  { title: "points.convert", text: "points.convert_text" },
];

/** What points are going to be. The mall is not open yet, and the page says so first. */
export default function PointMallPage() {
  const t = useT();
  return (
    <div className="grid grid-cols-1 gap-10">
      <section className="leaf-lg relative grid justify-items-start gap-4 overflow-hidden border border-line bg-surface p-6 sm:p-10">
        <div
          className="lattice lattice-right absolute inset-y-0 right-0 w-3/5 max-sm:hidden"
          aria-hidden="true"
        />
        <p className="eyebrow relative">{t("points.soon")}</p>
        <h1 className="display relative text-[min(1.875rem,8vw)] text-balance sm:text-4xl">
          {t("points.title")}
        </h1>
        <p className="relative max-w-[50ch] text-lg">{t("points.lead")}</p>
        <Link
          to="/promotions"
          search={{ type: "POINTS" }}
          className={`${buttonClass("plain", "md", "relative")} bg-surface`}
        >
          {t("points.promotions")}
        </Link>
      </section>
      <section aria-labelledby="plan" className="grid grid-cols-1 gap-5">
        <h2 id="plan" className="display text-2xl">
          {t("points.plan")}
        </h2>
        <ul className="grid gap-x-10 gap-y-6 md:grid-cols-2">
          {plan.map(({ title, text }) => (
            <li key={title} className="grid content-start gap-2 border-t border-line-strong pt-4">
              <h3 className="text-lg font-semibold">{t(title)}</h3>
              <p className="max-w-[62ch] text-muted">{t(text)}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="meanwhile" className="grid justify-items-start gap-3">
        <h2 id="meanwhile" className="display text-xl">
          {t("points.meanwhile")}
        </h2>
        <p className="max-w-[62ch] text-muted">{t("points.meanwhile_text")}</p>
        <Link to="/rng" className={buttonClass("main")}>
          {t("points.play")}
        </Link>
      </section>
    </div>
  );
}
