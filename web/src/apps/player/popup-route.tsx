import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { closePopup, openPopup } from "@/lib/popup/popup";

/** An address that is the home page with a popup open. Closing the popup goes back to the home page. */
export function PopupRoute({ name }: { name: "login" | "register" }) {
  const navigate = useNavigate();
  useEffect(() => {
    let leaving = false;
    const id = openPopup(name, {}, () => {
      if (!leaving) void navigate({ to: "/" });
    });
    return () => {
      leaving = true;
      closePopup(id);
    };
  }, [name, navigate]);
  return null;
}
