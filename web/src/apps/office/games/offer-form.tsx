import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatMoney } from "@/lib/money/money";
import { Button } from "@/ui/button";
import { CheckField, Field } from "@/ui/field";
import { reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { type OfferValue, type OfficeGame, type OfficeMerchant, changeOffer } from "./api";
import { useChanged } from "./game-dialog";
import { FormFailure } from "../form-failure";

type OfferFormProps = {
  game: OfficeGame;
  offer: OfferValue;
  merchant: OfficeMerchant;
  onDone: () => void;
};

const plain = (text: string): string => text.replaceAll(/[\s,]/g, "");

/** How a site offers a game: whether at all, where, and with which limits. Empty limits are the usual ones. */
export function OfferForm({ game, offer, merchant, onDone }: OfferFormProps) {
  const t = useT();
  const changed = useChanged(onDone);
  const tag = useLanguageTag();
  const { currency } = merchant;
  const own = offer.limits[currency];
  const usual = (amount: string) => t("offer.usual", formatMoney(amount, currency, tag));
  const form = useServerForm(
    {
      visible: offer.visible,
      position: offer.position === null ? "" : String(offer.position),
      minStake: own?.minStake ?? "",
      maxStake: own?.maxStake ?? "",
      maxPayout: own?.maxPayout ?? "",
      reason: "",
    },
    ({ reason }) => reasonFault(reason),
    async ({ visible, position, minStake, maxStake, maxPayout, reason }) => {
      const { [currency]: _, ...others } = offer.limits;
      const hasOwn = [minStake, maxStake, maxPayout].some((text) => text.trim() !== "");
      const limits = {
        minStake: plain(minStake) || game.limits.minStake,
        maxStake: plain(maxStake) || game.limits.maxStake,
        maxPayout: plain(maxPayout) || game.limits.maxPayout,
      };
      const value: OfferValue = {
        visible,
        position: position.trim() === "" ? null : Number(position),
        limits: { ...others, ...(hasOwn && { [currency]: limits }) },
      };
      await changeOffer(merchant.id, game.code, { seen: offer, value, reason: reason.trim() });
      await changed();
    },
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-3 border-t border-line pt-5">
      <h3 className="font-semibold">{t("offer.on_site", merchant.name)}</h3>
      <FormFailure text={form.failure} />
      <CheckField label={t("offer.is_visible")} {...form.register("visible")} />
      <Field
        label={t("offer.own_position")}
        hint={t("offer.usual", game.value.position)}
        inputMode="numeric"
        {...form.register("position")}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <Field
          label={t("offer.in_currency", t("offer.min_stake"), currency)}
          hint={usual(game.limits.minStake)}
          inputMode="decimal"
          {...form.register("minStake")}
        />
        <Field
          label={t("offer.in_currency", t("offer.max_stake"), currency)}
          hint={usual(game.limits.maxStake)}
          inputMode="decimal"
          {...form.register("maxStake")}
        />
        <Field
          label={t("offer.in_currency", t("offer.max_payout"), currency)}
          hint={usual(game.limits.maxPayout)}
          inputMode="decimal"
          {...form.register("maxPayout")}
        />
      </div>
      <ReasonField field={form.register("reason")} error={form.fault("reason")} />
      <Button type="submit" variant="main" busy={form.busy} className="justify-self-start">
        {t("offer.save")}
      </Button>
    </form>
  );
}
