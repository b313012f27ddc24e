import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { isApiError } from "@/lib/api/error";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { type Lang, isLang } from "@/lib/i18n/languages";
import { toast } from "@/ui/toast";
import { useAddress, useGo } from "../address";
import { reasonFault } from "../form";
import type { Settings } from "../settings/api";
import { type ContentRow, addContent, changeContent, contentKey } from "./api";
import { type Faults, faultsOf, valueOf } from "./draft";
import type { KindId } from "./kinds";
import type { useDraft } from "./use-draft";
import { faultWord } from "./words";

/** The language in which every piece has to be written. */
function usualOf({ brand }: Settings): Lang {
  return isLang(brand.defaultLanguage) ? brand.defaultLanguage : "EN";
}

type Work = ReturnType<typeof useDraft>;
type About = { settings: Settings; kind: KindId; row: ContentRow | null; work: Work };

/** Checks, sends, and tells what is wrong with which field. */
export function useSaving({ settings, kind, row, work }: About) {
  const t = useT();
  const go = useGo();
  const client = useQueryClient();
  const { merchant } = useAddress();
  const [reason, setReason] = useState("");
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const isFree = useRef(false);
  const { draft, version } = work;

  const send = async () => {
    const value = valueOf(draft, kind, settings.merchant.timeZone);
    const why = { reason: reason.trim() };
    if (row) return changeContent(settings.id, row.id, { ...value, ...why, seenVersion: version });
    return addContent(settings.id, { ...value, ...why, kind });
  };
  const save = async () => {
    const found = { ...faultsOf(draft, kind, usualOf(settings)), ...reasonFault(reason) };
    setFaults(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return setFailure(t("edit.look_at_fields"));
    setBusy(true);
    try {
      const saved = await send();
      work.settle(draft, saved);
      setReason("");
      await client.invalidateQueries({ queryKey: contentKey });
      toast(t("settings.saved"), "good");
      if (row) return;
      isFree.current = true;
      go("/content", { merchant, kind, item: saved.id });
    } catch (error) {
      if (isApiError(error, "site.stale")) await client.invalidateQueries({ queryKey: contentKey });
      const told = isApiError(error) ? error.fields : {};
      setFaults(
        Object.fromEntries(
          Object.entries(told).map(([name, code]) => [name, faultWord(name, code)]),
        ),
      );
      const unchanged = told["value"] && t(faultWord("value", told["value"]));
      setFailure(unchanged || errorText(error, t));
    } finally {
      setBusy(false);
    }
  };
  /** The piece is gone: nothing here is to be kept. */
  const release = () => {
    isFree.current = true;
    work.forget();
  };
  return {
    release,
    reason,
    setReason,
    faults,
    failure,
    busy,
    isFree,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      void save();
    },
  };
}
