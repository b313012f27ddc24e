import type { ComponentProps } from "react";
import { Icon, type IconName } from "./icon";

type IconButtonProps = Omit<ComponentProps<"button">, "children"> & {
  icon: IconName;
  label: string;
};

/** A square button that shows only an icon; the label is its name. */
export function IconButton({ icon, label, className = "", ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={`inline-grid size-11 shrink-0 place-items-center leaf text-muted transition-colors hover:bg-raised hover:text-ink ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}
