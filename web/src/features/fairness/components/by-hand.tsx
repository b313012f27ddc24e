import { useState } from "react";

import type { Evidence } from "@/lib/fair/check";
import { useT } from "@/lib/i18n/i18n";

import { CheckedEvidence } from "./checked-evidence";
import { ManualForm } from "./manual-form";
import { PastePanel } from "./paste-panel";
import { Fold } from "./steps";

/** Checks rounds from anywhere: pasted, or typed in. */
export default function ByHand() {
  const t = useT();
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  return (
    <section aria-labelledby="by-hand" className="grid min-w-0 gap-5 border-t border-line pt-8">
      <h2 id="by-hand" className="display text-xl">
        {t("fair.by_hand")}
      </h2>
      <p className="max-w-[68ch] text-muted">{t("fair.by_hand_text")}</p>
      <PastePanel />
      <Fold label={t("fair.way_type")}>
        <div className="grid min-w-0 gap-5">
          <ManualForm onCheck={setEvidence} />
          {evidence && <CheckedEvidence evidence={evidence} />}
        </div>
      </Fold>
    </section>
  );
}
