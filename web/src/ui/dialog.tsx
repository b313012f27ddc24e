import {
  type ReactNode,
  type RefObject,
  createContext,
  use,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useT } from "@/lib/i18n/i18n";
import { focusPage } from "./focus-page";
import { IconButton } from "./icon-button";
import { keepFocusIn } from "./keep-focus";
import { type Hold, PopupHold } from "./popup-hold";

const TitleId = createContext<string | undefined>(undefined);

type DialogProps = {
  onClose: () => void;
  children: ReactNode;
  className?: string;
};

/** Notes whether the page has a scroll bar, before the first popup hides it. */
function markScrollBar(): void {
  if (document.querySelector("dialog:modal")) return;
  const { documentElement: page } = document;
  page.toggleAttribute("data-scroll-bar", innerWidth > page.clientWidth);
}

/**
 * A modal on the native dialog: focus stays inside and returns to the opener, or to the row of it (`data-row`) where that
 * is gone; Esc and the button close it, a click outside does not. A part of it may hold it open (`useHold`).
 */
export function Dialog({ onClose, children, className = "popup" }: DialogProps) {
  const t = useT();
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const hold = useRef<Hold | null>(null);
  const setHold = useCallback((next: Hold | null) => {
    hold.current = next;
  }, []);
  const leave = () => (hold.current ?? onClose)();
  useLayoutEffect(() => {
    const dialog = ref.current;
    const row = document.activeElement?.closest<HTMLElement>("[data-row]");
    markScrollBar();
    dialog?.showModal();
    // The browser focuses the first control, however far down it is, and scrolls there.
    dialog?.scrollTo(0, 0);
    return () => {
      dialog?.close();
      if (row) keepFocusIn(row);
      // Another popup may come in its place, or what opened it may be gone.
      else setTimeout(focusPage);
    };
  }, []);
  const [isScrolled, setScrolled] = useState(false);
  return (
    <dialog
      ref={ref}
      className={className}
      aria-labelledby={titleId}
      onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop > 0)}
      onCancel={(event) => {
        // Another dialog may lie in this one, or a choice of files.
        if (event.target !== ref.current) return;
        event.preventDefault();
        leave();
      }}
      onClose={(event) => {
        if (event.target !== ref.current) return;
        // A second Esc closes it whatever the page says.
        if (hold.current) event.currentTarget.showModal();
        leave();
      }}
    >
      <div className="flex-none">
        <TitleId value={titleId}>
          <PopupHold value={setHold}>{children}</PopupHold>
        </TitleId>
      </div>
      {/* Last for who walks by keyboard, at the top for the eye, and there it stays when a long form is scrolled. */}
      <div className="sticky top-0 z-10 order-first h-0 flex-none">
        {/* What is scrolled goes below a bar, not below a corner of the button. */}
        {isScrolled && (
          <div className="absolute inset-x-0 top-0 h-16 border-b border-line bg-surface" />
        )}
        <IconButton
          icon="close"
          label={t("popup.close")}
          onClick={leave}
          className="absolute top-3 right-3 bg-surface"
        />
      </div>
    </dialog>
  );
}

/** For a part of a popup that comes later: the focus goes to what it marks, unless somebody walks through tabs. */
export function useLateFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => {
    const part = ref.current;
    if (part?.closest("dialog")?.querySelector("[role=tab]:focus")) return;
    part?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  }, []);
  return ref;
}

/** The heading of a popup; it names the dialog. The focus goes to what is marked `data-autofocus`, once it is there. */
export function DialogTitle({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    ref.current?.closest("dialog")?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  }, []);
  return (
    <h2 ref={ref} id={use(TitleId)} className="pr-10 display text-2xl text-balance">
      {children}
    </h2>
  );
}
