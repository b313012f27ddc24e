import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { shippedLanguages } from "@/lib/i18n/languages";
import { Button } from "@/ui/button";
import { ChoiceField } from "@/ui/choice-field";
import { CheckField, Field, FieldError } from "@/ui/field";
import { type Faults, reasonFault, useServerForm } from "../form";
import { Fact, Facts, Panel } from "../panel";
import { ReasonField } from "../reason-field";
import { changeSetting } from "./api";
import {
  type BrandValues,
  brandOf,
  labelCodes,
  listLabels,
  listNames,
  valuesOf,
} from "./brand-form";
import { ResourcesField } from "./resources-field";
import { useSave } from "./save";
import type { TabProps } from "./site-tab";
import { FormFailure } from "../form-failure";

/** What the brand shows and where it sends people. */
export function BrandTab(props: TabProps) {
  // Another brand is another form.
  return <BrandForm key={JSON.stringify(props.settings.brand)} {...props} />;
}

const check = ({ reason }: BrandValues): Faults<BrandValues> => reasonFault(reason);

function BrandForm({ settings, mayWrite }: TabProps) {
  const t = useT();
  const save = useSave();
  const { brand, fixed } = settings;
  const [resources, setResources] = useState(brand.resources);
  const form = useServerForm<BrandValues>(valuesOf(brand), check, async (values) => {
    const { reason } = values;
    const wanted = {
      kind: "brand",
      seen: brand,
      value: brandOf(values, resources),
      reason,
    } as const;
    await save(() => changeSetting(settings.id, wanted));
  });
  const text = (name: keyof BrandValues) => ({
    autoComplete: "off",
    spellCheck: false,
    error: form.fault(name),
    ...form.register(name),
  });
  return (
    <form noValidate onSubmit={form.onSubmit} aria-label={t("settings.tab_brand")}>
      <fieldset disabled={!mayWrite} className="grid items-start gap-4 xl:grid-cols-2">
        <Panel title={t("settings.brand_places")}>
          <Field
            type="url"
            label={t("settings.customer_service")}
            hint={t("settings.customer_service_hint")}
            {...text("customerService")}
          />
          <ResourcesField
            resources={resources}
            onChange={setResources}
            error={form.fault("resources" as keyof BrandValues)}
          />
        </Panel>
        <Panel title={t("settings.brand_languages")}>
          <fieldset>
            <legend className="text-sm text-muted">{t("settings.languages")}</legend>
            {shippedLanguages.map(({ code, name }) => (
              <CheckField
                key={code}
                label={<span data-name>{name}</span>}
                value={code}
                {...form.register("languages")}
              />
            ))}
            <FieldError id="languages-error" text={form.fault("languages")} />
          </fieldset>
          <ChoiceField
            label={t("settings.default_language")}
            error={form.fault("defaultLanguage")}
            options={shippedLanguages.map(({ code, name }) => ({ value: code, label: name }))}
            {...form.register("defaultLanguage")}
          />
        </Panel>
        <Panel title={t("settings.brand_games")}>
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label={t("settings.lottery_type")} {...text("lotteryType")} />
            {listNames.slice(2).map((name) => (
              <Field key={name} label={t(listLabels[name])} {...text(name)} />
            ))}
          </div>
          <p className="text-sm text-muted">{t("settings.list_hint")}</p>
          <fieldset className="grid gap-2">
            <legend className="pb-1 text-sm text-muted">{t("settings.game_labels")}</legend>
            <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
              {labelCodes.map((code) => (
                <Field
                  key={code}
                  label={t("settings.game_label", code)}
                  {...text(`label${code}`)}
                />
              ))}
            </div>
            <FieldError
              id="labels-error"
              text={form.fault("gameTypeLabels" as keyof BrandValues)}
            />
          </fieldset>
        </Panel>
        <Panel title={t("settings.brand_technical")}>
          {listNames.slice(0, 2).map((name) => (
            <Field
              key={name}
              label={t(listLabels[name])}
              hint={t("settings.origins_hint")}
              {...text(name)}
            />
          ))}
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label={t("settings.domain_route")} {...text("domainRoute")} />
            <Field
              label={t("settings.analytics_id")}
              hint={t("settings.analytics_hint")}
              {...text("analyticsId")}
            />
          </div>
          <Facts>
            <Fact label={t("settings.platform")}>
              <span data-name>{fixed.platform}</span>
            </Fact>
            <Fact label={t("settings.agent_types")}>{fixed.agentUserTypes.join(", ")}</Fact>
            <Fact label={t("settings.trial_type")}>{fixed.trialUserType}</Fact>
          </Facts>
          <p className="text-sm text-muted">{t("settings.fixed_text")}</p>
        </Panel>
      </fieldset>
      {mayWrite && (
        <div className="mt-4 grid max-w-xl gap-4">
          <FormFailure text={form.failure} />
          <ReasonField field={form.register("reason")} error={form.fault("reason")} />
          <Button type="submit" variant="main" busy={form.busy} className="justify-self-start">
            {t("office.save")}
          </Button>
        </div>
      )}
    </form>
  );
}
