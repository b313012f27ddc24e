import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Fact, Facts, Panel } from "../panel";
import { type Settings, changeSetting } from "./api";
import { ReasonDialog } from "./reason-dialog";
import { useSave } from "./save";
import { openWays } from "./switches";

export type TabProps = { settings: Settings; mayWrite: boolean };

/** Whether the site is open, and for whom. */
export function SiteTab({ settings, mayWrite }: TabProps) {
  const t = useT();
  const { merchant, switches, hosts } = settings;
  const ways = openWays(switches);
  const wayText = (names: readonly string[]) => names.join(", ") || t("settings.none");
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Maintenance settings={settings} mayWrite={mayWrite} />
      <Panel title={t("settings.at_a_glance")}>
        <Facts>
          <Fact label={t("settings.merchant")}>
            <span data-name>{merchant.name}</span>
          </Fact>
          <Fact label={t("settings.login_ways")}>{wayText(ways.login.map((way) => t(way)))}</Fact>
          <Fact label={t("settings.register_ways")}>
            {wayText(ways.register.map((way) => t(way)))}
          </Fact>
          <Fact label={t("settings.hosts")}>
            <span data-name>{Object.keys(hosts).join(", ")}</span>
          </Fact>
          <Fact label={t("settings.minimum_age")}>{settings.policies["*"]?.minimumAge}</Fact>
          <Fact label={t("settings.languages_short")}>
            <span data-name>{settings.brand.languages.join(", ")}</span>
          </Fact>
        </Facts>
      </Panel>
    </div>
  );
}

function Maintenance({ settings, mayWrite }: TabProps) {
  const t = useT();
  const save = useSave();
  const [asks, setAsks] = useState(false);
  const { on } = settings.maintenance;
  return (
    <Panel title={t("settings.maintenance")}>
      <p className={`font-semibold ${on ? "text-live-text" : "text-win"}`} role="status">
        {t(on ? "settings.site_closed" : "settings.site_open")}
      </p>
      <p className="max-w-[60ch] text-sm text-muted">{t("settings.maintenance_text")}</p>
      {mayWrite && (
        <Button size="sm" className="justify-self-start" onClick={() => setAsks(true)}>
          {t(on ? "settings.open_site" : "settings.close_site")}
        </Button>
      )}
      {asks && (
        <ReasonDialog
          title={t(on ? "settings.open_site" : "settings.close_site")}
          text={on ? t("settings.open_site_text") : undefined}
          warning={on ? undefined : t("settings.close_site_warning")}
          action={t(on ? "settings.open_site" : "settings.close_site")}
          onClose={() => setAsks(false)}
          onSave={(reason) =>
            save(() =>
              changeSetting(settings.id, {
                kind: "maintenance",
                seen: settings.maintenance,
                value: { on: !on },
                reason,
              }),
            )
          }
        />
      )}
    </Panel>
  );
}
