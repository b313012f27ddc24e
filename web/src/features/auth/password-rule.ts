import { useQuery } from "@tanstack/react-query";
import { type Key, useT } from "@/lib/i18n/i18n";
import { registerRulesQuery } from "./api-login";
import { rangeText, shapeFault, usualRules } from "./rules";

/** The merchant's rule for passwords: its first fault, and the sentence for a fault. */
export function usePasswordRule() {
  const t = useT();
  const { data } = useQuery(registerRulesQuery);
  const rule = data?.rules["password"] ?? usualRules["password"];
  const shape = rule ?? { minLength: 8, maxLength: 64, patternId: "any" };
  return {
    check: (text: string): Key | null => shapeFault(shape, text),
    say: (message: string | undefined) => message && t(message as Key, rangeText(shape, t)),
    hint: t("auth.password_hint", rangeText(shape, t), shape.minLength),
  };
}
