import "./safe-html.css";
import { useRouter } from "@tanstack/react-router";
import DOMPurify from "dompurify";
import { useEffect, useLayoutEffect, useRef } from "react";
import { innerPath, isOutside } from "@/lib/links";
import allowed from "../../../vectors/html.json";

const purifier = DOMPurify();
purifier.addHook("afterSanitizeAttributes", (element) => {
  const href = element.tagName === "A" ? element.getAttribute("href") : null;
  if (href === null || !isOutside(href, location.origin)) return;
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer");
});

/** The same list that the server cleans by when staff write: what slipped past one is caught by the other. */
const rules = {
  ALLOWED_TAGS: allowed.tags,
  ALLOWED_ATTR: Object.values(allowed.attributes).flat(),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

type SafeHtmlProps = {
  html: string;
  className?: string;
  /** Called when a link leads to another page of the site. */
  onLeave?: () => void;
};

/** Text that staff wrote, cleaned once more. Links inside the site go through the router, others open a window. */
export function SafeHtml({ html, className = "", onLeave }: SafeHtmlProps) {
  const ref = useRef<HTMLDivElement>(null);
  const router = useRouter();
  // The cleaned nodes themselves are put in: nothing is made a text and read once more.
  useLayoutEffect(() => ref.current?.replaceChildren(purifier.sanitize(html, rules)), [html]);
  useEffect(() => {
    const element = ref.current;
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const path = link && innerPath(link.getAttribute("href") ?? "", location);
      const wantsWindow = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
      if (!path || wantsWindow) return;
      event.preventDefault();
      onLeave?.();
      router.history.push(path);
    };
    element?.addEventListener("click", follow);
    return () => element?.removeEventListener("click", follow);
  }, [router, onLeave]);
  return <div ref={ref} data-name className={`safe-html text-muted ${className}`} />;
}
