import { useNavigate } from "@tanstack/react-router";
import { useEffect, useReducer } from "react";
import { demanded } from "@/features/auth/popups";
import { closePopup, openPopup } from "@/lib/popup/popup";
import { onRecoveryLink, takeRecoveryToken } from "./recovery-link";

/** What `/login` is asked for: where to go afterwards. */
export type LoginSearch = { next?: string };

/** A path of this site. What another site could be reached by is not followed. */
export function isOwnPath(path: unknown): path is string {
  return typeof path === "string" && /^\/(?![/\\])/.test(path);
}

export function readLoginSearch({ next }: Record<string, unknown>): LoginSearch {
  return isOwnPath(next) ? { next } : {};
}

type PopupRouteProps = { name: "login" | "register" | "help" };

/** Opens what an address names. The link of a recovery mail leads to the log-in's address, too. */
function openByAddress(name: PopupRouteProps["name"], leave: () => void): number {
  const query = new URLSearchParams(location.search);
  if (name === "help") {
    const article = query.get("article");
    return openPopup("help", article === null ? {} : { article }, leave);
  }
  const token = name === "login" ? takeRecoveryToken() : null;
  if (token) return openPopup("forgot", { token }, leave);
  const next = query.get("next");
  if (!isOwnPath(next)) return openPopup(name, {}, leave);
  return openPopup(name, name === "login" ? demanded(next) : { next }, leave);
}

/** An address that is the home page with a popup open. */
export function PopupRoute({ name }: PopupRouteProps) {
  const [links, countLink] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onRecoveryLink(countLink), []);
  // A link that is followed while the log-in is open has its own popup take that one's place.
  return <AddressPopup key={links} name={name} />;
}

/** Its popup. Closing it goes back to the home page. */
function AddressPopup({ name }: PopupRouteProps) {
  const navigate = useNavigate();
  useEffect(() => {
    let leaving = false;
    const leave = () => {
      if (!leaving) void navigate({ to: "/" });
    };
    const id = openByAddress(name, leave);
    return () => {
      leaving = true;
      closePopup(id);
    };
  }, [name, navigate]);
  return null;
}
