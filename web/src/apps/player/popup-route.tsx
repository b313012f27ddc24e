import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { closePopup, openPopup } from "@/lib/popup/popup";

/** What `/login` is asked for: where to go afterwards, and the token of a recovery mail. */
export type LoginSearch = { next?: string; recover?: string };

/** A path of this site. What another site could be reached by is not followed. */
export function isOwnPath(path: unknown): path is string {
  return typeof path === "string" && /^\/(?![/\\])/.test(path);
}

export function readLoginSearch({ next, recover }: Record<string, unknown>): LoginSearch {
  return {
    ...(isOwnPath(next) && { next }),
    ...(recover !== undefined && { recover: String(recover) }),
  };
}

type PopupRouteProps = { name: "login" | "register" | "help" };

/** Opens what an address names. The link of a recovery mail leads to the log-in's address, too. */
function openByAddress(name: PopupRouteProps["name"], leave: () => void): number {
  const query = new URLSearchParams(location.search);
  if (name === "help") {
    const article = query.get("article");
    return openPopup("help", article === null ? {} : { article }, leave);
  }
  const token = query.get("recover");
  if (name === "login" && token) return openPopup("forgot", { token }, leave);
  const next = query.get("next");
  return openPopup(name, isOwnPath(next) ? { next } : {}, leave);
}

/** An address that is the home page with a popup open. Closing the popup goes back to the home page. */
export function PopupRoute({ name }: PopupRouteProps) {
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
