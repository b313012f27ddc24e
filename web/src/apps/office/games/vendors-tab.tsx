import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { CheckField, Field } from "@/ui/field";
import { reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { useMay } from "../session";
import { type Column, DataTable } from "../table/data-table";
import { type OfficeVendor, changeVendor, vendorsQuery } from "./api";
import { useChanged } from "./game-dialog";
import { FormFailure } from "../form-failure";

/** Who makes the games. */
export function VendorsTab() {
  const t = useT();
  const mayWrite = useMay("games.write");
  const vendors = useQuery(vendorsQuery);
  const [open, setOpen] = useState<string | null>(null);
  const vendor = vendors.data?.find(({ vassalage }) => vassalage === open);
  return (
    <>
      <DataTable
        name="vendors"
        label={t("offer.vendors")}
        rows={vendors.data}
        keyOf={({ vassalage }) => vassalage}
        empty={t("offer.no_vendors")}
        error={vendors.error}
        onRetry={() => void vendors.refetch()}
        columns={columnsOf(t, mayWrite ? setOpen : null)}
      />
      {vendor && (
        <Dialog onClose={() => setOpen(null)}>
          <div className="grid gap-5 p-6">
            <DialogTitle>
              <span data-name>{vendor.value.displayName}</span>
            </DialogTitle>
            <VendorForm vendor={vendor} onDone={() => setOpen(null)} />
          </div>
        </Dialog>
      )}
    </>
  );
}

function columnsOf(
  t: Translate,
  onOpen: ((vassalage: string) => void) | null,
): readonly Column<OfficeVendor>[] {
  return [
    {
      id: "name",
      label: t("offer.vendor"),
      isFixed: true,
      cell: ({ vassalage, value }) => (
        <button
          type="button"
          disabled={onOpen === null}
          onClick={() => onOpen?.(vassalage)}
          className="row-link inline-flex min-h-11 min-w-11 items-center text-left font-semibold underline-offset-4 enabled:hover:underline"
        >
          <span data-name>{value.displayName}</span>
        </button>
      ),
    },
    {
      id: "code",
      label: t("offer.code"),
      cell: ({ vassalage }) => <code>{vassalage}</code>,
    },
    { id: "games", label: t("offer.games"), cell: ({ games }) => games },
    { id: "position", label: t("offer.position"), cell: ({ value }) => value.position },
    {
      id: "state",
      label: t("offer.state"),
      cell: ({ value }) =>
        value.maintenance ? (
          <strong className="font-semibold text-live-text">{t("offer.maintenance")}</strong>
        ) : (
          t("offer.open")
        ),
    },
  ];
}

function VendorForm({ vendor, onDone }: { vendor: OfficeVendor; onDone: () => void }) {
  const t = useT();
  const changed = useChanged(onDone);
  const { value: seen } = vendor;
  const form = useServerForm(
    { ...seen, position: String(seen.position), reason: "" },
    ({ reason }) => reasonFault(reason),
    async ({ reason, position, displayName, maintenance }) => {
      await changeVendor(vendor.vassalage, {
        seen,
        value: { displayName: displayName.trim(), maintenance, position: Number(position) },
        reason: reason.trim(),
      });
      await changed();
    },
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-3">
      <FormFailure text={form.failure} />
      <CheckField label={t("offer.all_maintenance")} {...form.register("maintenance")} />
      <Field
        label={t("offer.vendor_name")}
        maxLength={60}
        error={form.fault("displayName")}
        {...form.register("displayName")}
      />
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
