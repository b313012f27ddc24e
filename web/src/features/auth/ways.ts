import { isSwitchedOn } from "@/lib/boot/boot";
import type { Key } from "@/lib/i18n/i18n";

/** By what one can log in or register. */
export type Way = "username" | "mobile";

export const wayLabels = {
  username: "auth.by_username",
  mobile: "auth.by_mobile",
} as const satisfies Record<Way, Key>;

const switches = {
  login: { username: "COMM3", mobile: "MOBILEVERCODELOGIN3" },
  register: { username: "USERNAMEREG3", mobile: "MOBILENUMREG3" },
} as const;

function ways(of: keyof typeof switches): Way[] {
  return (["username", "mobile"] as const).filter((way) => isSwitchedOn(switches[of][way]));
}

export const loginWays = () => ways("login");
/** Every way to register is closed where registration itself is. */
export const registerWays = () => (isSwitchedOn("DIRECTREG3") ? ways("register") : []);
