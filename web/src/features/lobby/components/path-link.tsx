import { useRouter } from "@tanstack/react-router";
import type { ComponentProps } from "react";

/** A link to a page of ours whose path is only known from data. */
export function PathLink({ href, children, ...rest }: ComponentProps<"a"> & { href: string }) {
  const router = useRouter();
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        router.history.push(href);
      }}
    >
      {children}
    </a>
  );
}
