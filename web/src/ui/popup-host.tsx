import { type ComponentType, Suspense, lazy } from "react";
import { type Namespace, loadMessages } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Dialog } from "./dialog";
import { ErrorBoundary } from "./error-boundary";
import { Skeleton } from "./skeleton";
import { Toasts } from "./toast";
import {
  type OpenPopup,
  type PopupName,
  closePopup,
  popupEntry,
  usePopups,
} from "@/lib/popup/popup";

type Content = ComponentType<Record<string, unknown>>;
const contents = new Map<PopupName, Content>();

async function loadContent(name: PopupName): Promise<{ default: Content }> {
  const entry = popupEntry(name);
  const namespaces: readonly Namespace[] = entry.messages ?? [];
  const [part] = await Promise.all([
    loadPart<unknown>(entry.load),
    loadPart(() => loadMessages(...namespaces)),
  ]);
  return part as { default: Content };
}

function contentOf(name: PopupName): Content {
  const known = contents.get(name);
  if (known) return known;
  const made = lazy(() => loadContent(name));
  contents.set(name, made);
  return made;
}

/** Fetches a popup's code ahead, for example when the pointer rests on its button. */
export function warmPopup(name: PopupName): void {
  void loadContent(name).catch(() => undefined);
}

function Popup({ popup, top }: { popup: OpenPopup; top: boolean }) {
  const Body = contentOf(popup.name);
  const close = () => closePopup(popup.id);
  // The dialog of the skeleton is another one than that of the content: nothing that is seen changes its place.
  const loading = (
    <Dialog onClose={close}>
      <PopupSkeleton />
    </Dialog>
  );
  return (
    <Suspense fallback={loading}>
      <Dialog onClose={close}>
        <ErrorBoundary onLeave={close} onRetry={() => contents.delete(popup.name)}>
          {/* oxlint-disable-next-line react/static-components -- one component per name, kept in `contents` */}
          <Body {...popup.props} close={close} />
        </ErrorBoundary>
        {top && <Toasts />}
      </Dialog>
    </Suspense>
  );
}

function PopupSkeleton() {
  return (
    <div className="grid gap-4 p-6">
      <Skeleton className="h-7 w-2/5" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
  );
}

/** Renders the open popups; the toasts move into the topmost one, since everything else is inert. */
export function PopupHost() {
  const open = usePopups((state) => state.open);
  return (
    <>
      {open.map((popup, index) => (
        <Popup key={popup.id} popup={popup} top={index === open.length - 1} />
      ))}
      {open.length === 0 && <Toasts />}
    </>
  );
}
