import type { ComponentProps, MouseEvent } from "react";

/** `main` is for the one main action of a view: nothing else wears the accent. */
export type ButtonVariant = "main" | "plain" | "quiet";
export type ButtonSize = "sm" | "md" | "lg";

const base =
  "inline-flex items-center justify-center gap-2 font-semibold leaf select-none " +
  "transition-[background-color,border-color,transform] duration-150 active:translate-y-px " +
  "disabled:opacity-60 disabled:pointer-events-none aria-busy:pointer-events-none";

const variants: Readonly<Record<ButtonVariant, string>> = {
  main: "bg-accent text-on-accent hover:bg-accent-strong",
  plain: "border border-line-strong text-ink hover:bg-raised",
  quiet: "text-ink hover:bg-raised",
};

const sizes: Readonly<Record<ButtonSize, string>> = {
  sm: "min-h-11 px-4 text-sm whitespace-nowrap",
  md: "min-h-12 px-5 py-2 text-balance",
  lg: "min-h-14 px-7 py-2 text-lg text-balance",
};

/** The look of a button, for links that must look like one. */
export function buttonClass(
  variant: ButtonVariant = "plain",
  size: ButtonSize = "md",
  more = "",
): string {
  return `${base} ${variants[variant]} ${sizes[size]} ${more}`;
}

type ButtonProps = ComponentProps<"button"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Work is under way: the button keeps its place and width and takes no second press. */
  busy?: boolean;
};

/** Enter in a field presses its form's button, too: a press that is not taken sends nothing. */
const refuse = (event: MouseEvent<HTMLButtonElement>) => event.preventDefault();

export function Button({ variant, size, busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(busy && { onClick: refuse })}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={buttonClass(variant, size, className)}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
