import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { useAddress, useChangeSearch } from "../address";
import { TextFilter } from "../text-filter";
import { type Settings, type SwitchRow, changeSetting } from "./api";
import { ReasonDialog } from "./reason-dialog";
import { useSave } from "./save";
import type { TabProps } from "./site-tab";
import { findSwitches, isInForce, shutsOut, switchText, switchTitle } from "./switches";
import { Toggle } from "./toggle";

/** The whitelabel tree. */
export function SwitchesTab({ settings, mayWrite }: TabProps) {
  const t = useT();
  const { text = "" } = useAddress();
  const change = useChangeSearch();
  const [asked, setAsked] = useState<SwitchRow | null>(null);
  const found = findSwitches(settings.switches, text, t);
  const groups = found.filter(({ parent }) => !parent);
  const row = (one: SwitchRow) => (
    <SwitchLine
      key={one.modId}
      row={one}
      switches={settings.switches}
      {...(mayWrite && { onTurn: () => setAsked(one) })}
    />
  );
  return (
    <div className="grid gap-4">
      <search className="max-w-md">
        <TextFilter
          type="search"
          label={t("settings.switch_find")}
          value={text}
          onSettle={(typed) => change({ text: typed })}
        />
      </search>
      {groups.length === 0 && <p className="text-muted">{t("settings.switch_none")}</p>}
      <div className="xl:columns-2 xl:gap-4">
        {groups.map((group) => (
          <section
            key={group.modId}
            aria-label={switchTitle(group.modId, t)}
            className="leaf mb-4 break-inside-avoid border border-line bg-surface"
          >
            {row(group)}
            <ul className="border-t border-line pl-4">
              {found
                .filter(({ parent }) => parent === group.modId)
                .map((one) => (
                  <li key={one.modId} className="border-line not-last:border-b">
                    {row(one)}
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
      {asked && <TurnDialog settings={settings} row={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

type SwitchLineProps = {
  row: SwitchRow;
  switches: readonly SwitchRow[];
  onTurn?: () => void;
};

function SwitchLine({ row, switches, onTurn }: SwitchLineProps) {
  const t = useT();
  const { modId, parent, enabled, isAsked } = row;
  const isHeld = enabled && !isInForce(switches, modId);
  // What is said of a whole group is not said of each in it.
  const isUnused = !isAsked && !switches.some((other) => other.modId === parent && !other.isAsked);
  return (
    <div className="flex items-start gap-4 p-3">
      <div className="grid min-w-0 grow gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <span className={!parent ? "display text-lg" : "font-semibold"}>
            {switchTitle(modId, t)}
          </span>
          <code className="font-mono text-xs text-muted">{modId}</code>
        </p>
        <p className="max-w-[70ch] text-sm text-muted">{switchText(modId, t)}</p>
        {isHeld && parent && (
          <p className="text-sm text-live-text">{t("settings.held_off", switchTitle(parent, t))}</p>
        )}
        {isUnused && <p className="text-sm text-accent-text">{t("settings.not_asked")}</p>}
      </div>
      <Toggle isOn={enabled} label={switchTitle(modId, t)} onTurn={onTurn} />
    </div>
  );
}

type TurnDialogProps = { settings: Settings; row: SwitchRow; onClose: () => void };

function TurnDialog({ settings, row, onClose }: TurnDialogProps) {
  const t = useT();
  const save = useSave();
  const { modId, enabled } = row;
  const shut = enabled ? shutsOut(settings.switches, modId) : null;
  const warnings = { login: "settings.shuts_login", register: "settings.shuts_register" } as const;
  return (
    <ReasonDialog
      title={t(enabled ? "settings.turn_off" : "settings.turn_on", switchTitle(modId, t))}
      text={switchText(modId, t)}
      warning={shut ? t(warnings[shut]) : undefined}
      action={t(enabled ? "settings.off_action" : "settings.on_action")}
      onClose={onClose}
      onSave={(reason) =>
        save(() =>
          changeSetting(settings.id, {
            kind: "switch",
            name: modId,
            seen: { enabled },
            value: { enabled: !enabled },
            reason,
          }),
        )
      }
    />
  );
}
