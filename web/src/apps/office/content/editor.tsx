import { useEffect, useRef } from "react";
import { useLang, useT } from "@/lib/i18n/i18n";
import { shippedLanguages } from "@/lib/i18n/languages";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { useMe } from "../session";
import type { Settings } from "../settings/api";
import type { ContentRow } from "./api";
import { type Draft, type Faults, titleOf } from "./draft";
import { EditorDeeds } from "./editor-deeds";
import { type Kind, type KindId, kinds } from "./kinds";
import { LanguagePanel } from "./language-panel";
import { BackNote, BehindNote } from "./notes";
import { PlacePanel } from "./place-panel";
import { Preview } from "./preview";
import { StateWord } from "./state-word";
import { useDraft } from "./use-draft";
import { useSaving } from "./use-saving";
import { FormFailure } from "../form-failure";
import { useUnsaved } from "../unsaved";

type EditorProps = {
  settings: Settings;
  kind: KindId;
  /** Null for a new piece. */
  row: ContentRow | null;
  slots: Kind["slots"];
  mayWrite: boolean;
};

/** A piece in both languages, as it is written and as players see it. */
export function Editor({ settings, kind, row, slots, mayWrite }: EditorProps) {
  const t = useT();
  const lang = useLang();
  const { timeZone } = settings.merchant;
  const work = useDraft({
    person: useMe().id,
    merchant: settings.id,
    kind,
    row,
    zone: timeZone,
    slot: slots[0]?.value ?? "",
  });
  const saving = useSaving({ settings, kind, row, work });
  const { draft, set } = work;
  useUnsaved({
    isThere: () => work.isChanged && !saving.isFree.current,
    onLeave: work.forget,
  });
  const form = useRef<HTMLFormElement>(null);
  // Whoever is told that something is wrong stands where it is.
  useEffect(() => {
    if (Object.keys(saving.faults).length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [saving.faults]);
  const panel = { kind, draft, set, faults: saving.faults };
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="display text-lg">
          {row ? <span data-name>{titleOf(row, lang)}</span> : t(kinds[kind].add)}
        </h2>
        {row && <StateWord state={row.state} />}
        {row && (
          <EditorDeeds
            merchant={settings.id}
            kind={kind}
            row={row}
            mayWrite={mayWrite}
            onGone={saving.release}
          />
        )}
      </header>
      {/* The dialogs of the head have forms of their own: they stand outside of this one. */}
      <form ref={form} noValidate onSubmit={saving.onSubmit} className="grid gap-4">
        {work.isBack && <BackNote onLoad={work.load} />}
        {row && work.isBehind && <BehindNote row={row} onLoad={work.load} onKeep={work.keepOwn} />}
        <fieldset disabled={!mayWrite} className="grid min-w-0 gap-4">
          <PlacePanel {...panel} settings={settings} slots={slots} isNew={row === null} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            {shippedLanguages.map((language) => (
              <LanguagePanel key={language.code} {...panel} language={language} />
            ))}
          </div>
        </fieldset>
        <Preview kind={kind} draft={draft} />
        {mayWrite && <SaveArea saving={saving} isChanged={work.isChanged} />}
      </form>
    </>
  );
}

export type PanelProps = {
  kind: KindId;
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  faults: Faults;
};

type SaveAreaProps = { saving: ReturnType<typeof useSaving>; isChanged: boolean };

function SaveArea({ saving, isChanged }: SaveAreaProps) {
  const t = useT();
  const { reason, setReason, faults, failure, busy } = saving;
  return (
    <div className="grid max-w-xl gap-4">
      <FormFailure text={failure} />
      <Field
        label={t("office.reason")}
        hint={t("office.reason_hint")}
        autoComplete="off"
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={faults["reason"] && t(faults["reason"])}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="main" busy={busy}>
          {t("office.save")}
        </Button>
        {isChanged && <p className="text-sm text-muted">{t("edit.unsaved")}</p>}
      </div>
    </div>
  );
}
