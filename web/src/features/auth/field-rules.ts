import { useQuery } from "@tanstack/react-query";
import { type Key, useT } from "@/lib/i18n/i18n";
import type { Shape } from "@/lib/patterns/patterns";
import { registerRulesQuery } from "./api-login";
import { rangeText, shapeFault, shapeText, usualRules } from "./rules";

/** Used where a rule could not be had; the server decides in any case. */
const anyShape: Shape = { minLength: 1, maxLength: 64, patternId: "any" };

/** The merchant's rule for a field, and the sentence for a fault. */
function useRule(name: "username" | "password") {
  const t = useT();
  const { data } = useQuery(registerRulesQuery);
  const shape = data?.rules[name] ?? usualRules[name] ?? anyShape;
  const say = (message: string | undefined) => message && t(message as Key, rangeText(shape, t));
  return { shape, say };
}

/** The merchant's rule for passwords: its first fault, and the sentence for a fault. */
export function usePasswordRule() {
  const t = useT();
  const { shape, say } = useRule("password");
  return {
    check: (text: string): Key | null => shapeFault(shape, text.trim()),
    say,
    hint: t("auth.password_hint", rangeText(shape, t), shape.minLength),
  };
}

/**
 * The words of the merchant's rule for usernames. Names may be older than the rule, so that the server looks for the
 * member first and says afterwards what was never a name.
 */
export function useUsernameWords() {
  const { shape, say } = useRule("username");
  return {
    say,
    /** The words for a fault that the server has found. */
    word: (code: string) => shapeText(shape, code),
  };
}
