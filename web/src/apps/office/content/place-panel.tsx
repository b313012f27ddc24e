import { useT } from "@/lib/i18n/i18n";
import { ChoiceField } from "@/ui/choice-field";
import { CheckField, Field } from "@/ui/field";
import { Panel } from "../panel";
import type { Settings } from "../settings/api";
import { DataInput } from "./data-input";
import { isAsked } from "./draft";
import type { PanelProps } from "./editor";
import { type Kind, kinds } from "./kinds";

type PlacePanelProps = PanelProps & {
  settings: Settings;
  slots: Kind["slots"];
  isNew: boolean;
};

/** What is the same in all languages: where it stands, what it has, when it is seen. */
export function PlacePanel(props: PlacePanelProps) {
  const { kind, draft, set, faults, settings, slots, isNew } = props;
  const t = useT();
  const { data, slotLabel, isOnePerSlot, isScheduled } = kinds[kind];
  const fault = (name: string) => (faults[name] ? t(faults[name]) : undefined);
  return (
    <Panel title={t("edit.where")}>
      <div className="grid items-start gap-x-4 gap-y-3 md:grid-cols-2">
        {slots.length > 0 && (
          <ChoiceField
            label={t(slotLabel)}
            value={draft.slot}
            // A page stays the page that it is.
            disabled={isOnePerSlot && !isNew}
            onChange={({ target }) => set({ slot: target.value })}
            options={slots.map(({ value, label }) => ({ value, label: t(label) }))}
            error={fault("slot")}
          />
        )}
        {data
          .filter((field) => field.shape !== "kept" && isAsked(field, draft))
          .map((field) => (
            <DataInput
              key={field.name}
              merchant={settings.id}
              field={field}
              value={draft.data[field.name] ?? ""}
              onChange={(part) => set({ data: { ...draft.data, ...part } })}
              error={fault(`data.${field.name}`)}
            />
          ))}
        {isScheduled && (
          <>
            <Field
              type="datetime-local"
              label={t("edit.from")}
              hint={t("edit.from_hint", settings.merchant.timeZone)}
              value={draft.startsAt}
              onChange={({ target }) => set({ startsAt: target.value })}
              error={fault("startsAt")}
            />
            <Field
              type="datetime-local"
              label={t("edit.until")}
              hint={t("edit.until_hint")}
              value={draft.endsAt}
              onChange={({ target }) => set({ endsAt: target.value })}
              error={fault("endsAt")}
            />
          </>
        )}
      </div>
      <CheckField
        label={t("edit.is_shown")}
        checked={draft.isShown}
        onChange={({ target }) => set({ isShown: target.checked })}
      />
    </Panel>
  );
}
