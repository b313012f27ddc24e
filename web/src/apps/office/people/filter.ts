import type { Search } from "../address";
import type { Person, Schemas } from "../api";

/** Which people are looked for. */
export type Filter = { who: string; role: string; state: "active" | "closed" | "all" };

export function readFilter({ who = "", role = "", state }: Search): Filter {
  return { who, role, state: state === "closed" || state === "all" ? state : "active" };
}

/** The same as a question to the server, which finds everybody where nothing is asked. */
export function queryOf({ who, role, state }: Filter): Schemas["FindPeople"] {
  return {
    ...(who.trim() && { text: who.trim() }),
    ...(role && { role }),
    ...(state !== "all" && { state }),
  };
}

/** Name or username has what is typed, the role is one of theirs, and the account is in the state. */
export function fits(person: Person, { who, role, state }: Filter): boolean {
  const wanted = who.trim().toLowerCase();
  const isNamed = [person.name, person.username].some((name) =>
    name.toLowerCase().includes(wanted),
  );
  const isInState = state === "all" || person.isActive === (state === "active");
  return isNamed && isInState && (role === "" || person.roles.includes(role));
}
