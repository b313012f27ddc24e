import type { Search } from "../address";
import type { Person } from "../api";

/** Which people are looked for; it stands in the address. */
export type Filter = { text: string; role: string; state: "active" | "closed" | "all" };

export function readFilter({ text = "", role = "", state }: Search): Filter {
  return { text, role, state: state === "closed" || state === "all" ? state : "active" };
}

/** Name or username has the text, the role is one of theirs, and the account is in the state. */
export function fits(person: Person, { text, role, state }: Filter): boolean {
  const wanted = text.trim().toLowerCase();
  const isNamed = [person.name, person.username].some((name) =>
    name.toLowerCase().includes(wanted),
  );
  const isInState = state === "all" || person.isActive === (state === "active");
  return isNamed && isInState && (role === "" || person.roles.includes(role));
}
