import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { CheckField, Field } from "@/ui/field";
import { type Faults, reasonFault, useServerForm } from "../form";
import { Panel } from "../panel";
import { ReasonField } from "../reason-field";
import { type Settings, changeSetting } from "./api";
import { ReasonDialog } from "./reason-dialog";
import { useSave } from "./save";
import type { TabProps } from "./site-tab";
import { FormFailure } from "../form-failure";

/** The hosts that lead to the merchant. */
export function HostsPanel({ settings, mayWrite }: TabProps) {
  const t = useT();
  const save = useSave();
  const [removes, setRemoves] = useState<string | null>(null);
  const { hosts, merchant } = settings;
  return (
    <Panel title={t("settings.hosts")}>
      <p className="text-sm text-muted">{t("settings.hosts_text")}</p>
      <ul className="border-t border-line">
        {Object.entries(hosts).map(([host, { shared }]) => (
          <li
            key={host}
            className="flex min-h-12 flex-wrap items-center gap-x-3 border-b border-line max-sm:pt-2"
          >
            <code data-name className="grow font-mono text-sm wrap-anywhere max-sm:basis-full">
              {host}
            </code>
            {host === merchant.mainDomain && <Mark text={t("settings.main_domain")} />}
            {shared && <Mark text={t("settings.shared")} />}
            {mayWrite && (
              <Button
                size="sm"
                variant="quiet"
                aria-label={t("settings.host_remove", host)}
                onClick={() => setRemoves(host)}
              >
                {t("settings.remove")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && <AddHost key={Object.keys(hosts).join()} settings={settings} />}
      {removes !== null && (
        <ReasonDialog
          title={t("settings.host_remove", removes)}
          warning={t("settings.host_remove_text")}
          action={t("settings.remove")}
          onClose={() => setRemoves(null)}
          onSave={(reason) =>
            save(() =>
              changeSetting(settings.id, {
                kind: "host",
                name: removes,
                seen: hosts[removes] ?? null,
                value: null,
                reason,
              }),
            )
          }
        />
      )}
    </Panel>
  );
}

function Mark({ text }: { text: string }) {
  return <span className="shrink-0 text-sm text-muted">{text}</span>;
}

type Values = { name: string; shared: boolean; reason: string };
const nothing: Values = { name: "", shared: false, reason: "" };

/** A domain without scheme, path or port, or an address. */
export const isHost = (text: string) => /^[a-z0-9.-]+$|^\[[0-9a-f:]+\]$/.test(text);

function check({ name, reason }: Values): Faults<Values> {
  return {
    ...(!isHost(name.trim().toLowerCase()) && { name: "settings.fault_host" }),
    ...reasonFault(reason),
  };
}

function AddHost({ settings }: { settings: Settings }) {
  const t = useT();
  const save = useSave();
  const form = useServerForm(nothing, check, async ({ name, shared, reason }) => {
    const host = name.trim().toLowerCase();
    const wanted = { kind: "host", name: host, value: { shared }, reason } as const;
    const seen = settings.hosts[host] ?? null;
    await save(() => changeSetting(settings.id, { ...wanted, seen }));
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit}
      className="grid gap-3"
      aria-label={t("settings.host_add")}
    >
      <FormFailure text={form.failure} />
      <Field
        label={t("settings.host_new")}
        hint={t("settings.host_hint")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={form.fault("name")}
        {...form.register("name")}
      />
      <CheckField label={t("settings.shared_label")} {...form.register("shared")} />
      <ReasonField field={form.register("reason")} error={form.fault("reason")} />
      <Button type="submit" size="sm" busy={form.busy} className="justify-self-start">
        {t("settings.host_add")}
      </Button>
    </form>
  );
}
