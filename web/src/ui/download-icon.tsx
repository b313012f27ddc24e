import { Lines } from "./icon";

/** Stands on what saves a file. It is drawn as the other icons are, and kept from the pages that save none. */
export function DownloadIcon({ className }: { className?: string }) {
  return (
    <Lines
      d="M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5"
      className={className}
    />
  );
}
