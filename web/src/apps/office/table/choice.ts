import { useState } from "react";

type Choosable = { id: string; isFixed?: boolean | undefined; isExtra?: boolean | undefined };
/** Column → whether it is shown, where somebody chose. */
export type Choice = Readonly<Record<string, boolean>>;

/** Whether a column is shown: as chosen, or as usual. A fixed one always is. */
export function isShown({ id, isFixed, isExtra }: Choosable, choice: Choice): boolean {
  return isFixed === true || (choice[id] ?? isExtra !== true);
}

const keyOf = (table: string) => `office.columns.${table}`;

/** What was chosen in this browser before; what cannot be read counts as nothing. */
export function readChoice(table: string): Choice {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? "{}");
    const entries = typeof kept === "object" && kept !== null ? Object.entries(kept) : [];
    return Object.fromEntries(entries.filter(([, shown]) => typeof shown === "boolean"));
  } catch {
    return {};
  }
}

export function useChoice(table: string): [Choice, (id: string, shown: boolean) => void] {
  const [choice, setChoice] = useState(() => readChoice(table));
  const choose = (id: string, shown: boolean) => {
    const next = { ...choice, [id]: shown };
    localStorage.setItem(keyOf(table), JSON.stringify(next));
    setChoice(next);
  };
  return [choice, choose];
}
