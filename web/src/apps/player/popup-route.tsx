import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { closePopup, openPopup } from "@/lib/popup/popup";

/**
 * An address that is the home page with a popup open. Closing the popup goes back to the home page. The link of a
 * recovery mail leads here, too.
 */
export function PopupRoute({ name }: { name: "login" | "register" }) {
  const navigate = useNavigate();
  useEffect(() => {
    let leaving = false;
    const leave = () => {
      if (!leaving) void navigate({ to: "/" });
    };
    const token = new URLSearchParams(location.search).get("recover");
    const id =
      name === "login" && token
        ? openPopup("forgot", { token }, leave)
        : openPopup(name, {}, leave);
    return () => {
      leaving = true;
      closePopup(id);
    };
  }, [name, navigate]);
  return null;
}
