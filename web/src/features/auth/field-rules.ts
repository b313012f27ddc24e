import { useQuery } from "@tanstack/react-query";
import { type Key, useT } from "@/lib/i18n/i18n";
import type { Shape } from "@/lib/patterns/patterns";
import { registerRulesQuery } from "./api-login";
import { rangeText, shapeFault, shapeText, usualRules } from "./rules";

/** Used where a rule could not be had; the server decides in any case. */
const anyShape: Shape = { minLength: 1, maxLength: 64, patternId: "any" };

function useShape(name: "username" | "password"): Shape {
  const { data } = useQuery(registerRulesQuery);
  return data?.rules[name] ?? usualRules[name] ?? anyShape;
}

/** The merchant's rule for passwords: its first fault, and the sentence for a fault. */
export function usePasswordRule() {
  const t = useT();
  const shape = useShape("password");
  return {
    check: (text: string): Key | null => shapeFault(shape, text.trim()),
    say: (message: string | undefined) => message && t(message as Key, rangeText(shape, t)),
    hint: t("auth.password_hint", rangeText(shape, t), shape.minLength),
  };
}

/**
 * The words of the merchant's rule for usernames. Names may be older than the rule, so that the server looks for the
 * member first and says afterwards what was never a name.
 */
export function useUsernameWords() {
  const t = useT();
  const shape = useShape("username");
  return {
    say: (message: string | undefined) => message && t(message as Key, rangeText(shape, t)),
    /** The words for a fault that the server has found. */
    word: (code: string) => shapeText(shape, code),
  };
}
