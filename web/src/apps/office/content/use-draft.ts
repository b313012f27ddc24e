import { useEffect, useState } from "react";
import type { ContentRow } from "./api";
import { type Draft, draftOf, isSame, newDraft } from "./draft";
import { keptDrafts } from "./kept";
import type { KindId } from "./kinds";

type About = {
  /** Who writes. */
  person: string;
  merchant: string;
  kind: KindId;
  row: ContentRow | null;
  zone: string;
  /** Where a new piece stands at first. */
  slot: string;
};

/** What was loaded, what is written since, and the version that it was written on. */
type Work = { base: Draft; draft: Draft; version: number; isBack: boolean };

/**
 * The work on one piece. It is kept for this tab until it is saved or given up, and it notices when somebody else
 * changes the piece: whoever has written nothing yet just sees the new version.
 */
export function useDraft({ person, merchant, kind, row, zone, slot }: About) {
  const kept = keptDrafts(`${person}:${merchant}`, kind, row?.id ?? "new");
  const loaded = row ? draftOf(row, kind, zone) : newDraft(kind, slot);
  const fresh: Work = {
    base: loaded,
    draft: loaded,
    version: row?.version ?? 0,
    isBack: false,
  };
  const [work, setWork] = useState<Work>(() => {
    const found = kept.read();
    return found && !isSame(found.draft, loaded) ? { ...fresh, ...found, isBack: true } : fresh;
  });
  const { base, draft, version } = work;
  const isChanged = !isSame(draft, base);
  const isBehind = row !== null && row.version > version;
  if (isBehind && !isChanged) setWork(fresh);
  useEffect(() => {
    if (isChanged) kept.write({ draft, version });
    else kept.forget();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the store is the same for the same piece
  }, [draft, version, isChanged]);
  return {
    ...work,
    isChanged,
    isBehind,
    set: (part: Partial<Draft>) =>
      setWork((now) => ({ ...now, draft: { ...now.draft, ...part }, isBack: false })),
    /** What was sent is saved; what was written meanwhile stays. */
    settle: (sent: Draft, saved: ContentRow) =>
      setWork((now) => {
        const written = draftOf(saved, kind, zone);
        const next = isSame(now.draft, sent) ? written : now.draft;
        return { base: written, draft: next, version: saved.version, isBack: false };
      }),
    /** Gives up what is written, for what is there. */
    load: () => setWork(fresh),
    /** Keeps what is written, to be saved over what is there. */
    keepOwn: () => setWork((now) => ({ ...now, base: loaded, version: row?.version ?? 0 })),
    forget: kept.forget,
  };
}
