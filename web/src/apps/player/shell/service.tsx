import type { ReactNode } from "react";
import { getBoot } from "@/lib/boot/boot";
import { openPopup } from "@/lib/popup/popup";

type ServiceProps = {
  className: string;
  /** Where only an icon is seen. */
  label?: string;
  onOpen?: () => void;
  children: ReactNode;
};

/** The way to customer service: the merchant's own place for it, or else a message to the house. */
export function Service({ className, label, onOpen, children }: ServiceProps) {
  const { service } = getBoot().links;
  const named = label === undefined ? {} : { "aria-label": label, title: label };
  if (service) {
    return (
      <a href={service} target="_blank" rel="noopener noreferrer" className={className} {...named}>
        {children}
      </a>
    );
  }
  const write = () => {
    onOpen?.();
    openPopup("feedback", {});
  };
  return (
    <button type="button" onClick={write} className={className} {...named}>
      {children}
    </button>
  );
}
