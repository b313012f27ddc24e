import { useQueryClient } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { CheckField, Field } from "@/ui/field";
import { toast } from "@/ui/toast";
import { reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { useMay } from "../session";
import { type OfficeGame, type OfficeMerchant, changeGame, changedKey } from "./api";
import { OfferForm } from "./offer-form";
import { FormFailure } from "../form-failure";

type GameDialogProps = {
  game: OfficeGame;
  merchant: OfficeMerchant | undefined;
  onClose: () => void;
};

/** A game: what holds on all sites, and how one site offers it. */
export function GameDialog({ game, merchant, onClose }: GameDialogProps) {
  const t = useT();
  const mayWrite = useMay("games.write");
  return (
    <Dialog onClose={onClose}>
      <div className="grid gap-6 p-6">
        <DialogTitle>
          <span data-name>{game.name}</span>
        </DialogTitle>
        {mayWrite ? (
          <>
            <GameForm game={game} onDone={onClose} />
            {merchant && game.offer ? (
              <OfferForm game={game} offer={game.offer} merchant={merchant} onDone={onClose} />
            ) : (
              <p className="text-sm text-muted">{t("offer.choose_site")}</p>
            )}
          </>
        ) : (
          <p className="text-muted">{t("offer.read_only")}</p>
        )}
      </div>
    </Dialog>
  );
}

/** Once a change is made: it is told, and every list is loaded anew. */
export function useChanged(onDone: () => void): () => Promise<void> {
  const t = useT();
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: changedKey });
    toast(t("offer.changed"), "good");
    onDone();
  };
}

function GameForm({ game, onDone }: { game: OfficeGame; onDone: () => void }) {
  const t = useT();
  const changed = useChanged(onDone);
  const { value: seen } = game;
  const form = useServerForm(
    { ...seen, position: String(seen.position), reason: "" },
    ({ reason }) => reasonFault(reason),
    async ({ reason, position, ...value }) => {
      await changeGame(game.code, {
        seen,
        value: { ...value, position: Number(position) },
        reason: reason.trim(),
      });
      await changed();
    },
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-3">
      <h3 className="font-semibold">{t("offer.everywhere")}</h3>
      <FormFailure text={form.failure} />
      <CheckField label={t("offer.is_maintenance")} {...form.register("maintenance")} />
      <CheckField label={t("offer.is_new")} {...form.register("isNew")} />
      <CheckField label={t("offer.is_hot")} {...form.register("isHot")} />
      <Field
        label={t("offer.position")}
        inputMode="numeric"
        error={form.fault("position")}
        {...form.register("position")}
      />
      <ReasonField field={form.register("reason")} error={form.fault("reason")} />
      <Button type="submit" variant="main" busy={form.busy} className="justify-self-start">
        {t("offer.save")}
      </Button>
    </form>
  );
}
