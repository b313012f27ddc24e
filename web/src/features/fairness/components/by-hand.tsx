import { useState } from "react";

import type { Evidence } from "@/lib/fair/check";
import { useT } from "@/lib/i18n/i18n";

import { ManualForm } from "./manual-form";
import { type EvidenceView, PastePanel } from "./paste-panel";
import { Fold } from "./steps";

/** How checked evidence is shown: the page has it already, so it does not come along here once more. */
type ByHandProps = { View: EvidenceView };

/** Checks rounds from anywhere: pasted, or typed in. */
export default function ByHand({ View }: ByHandProps) {
  const t = useT();
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  return (
    <section aria-labelledby="by-hand" className="grid min-w-0 gap-5 border-t border-line pt-8">
      <h2 id="by-hand" className="display text-xl">
        {t("fair.by_hand")}
      </h2>
      <p className="max-w-[68ch] text-muted">{t("fair.by_hand_text")}</p>
      <PastePanel View={View} />
      <Fold label={t("fair.way_type")}>
        <div className="grid min-w-0 gap-5">
          <ManualForm onCheck={setEvidence} />
          {evidence && <View evidence={evidence} />}
        </div>
      </Fold>
    </section>
  );
}
