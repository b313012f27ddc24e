import { useMutation } from "@tanstack/react-query";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { DownloadIcon } from "@/ui/download-icon";

/** Where the file is; or what fetches it, where the address must not say what is looked for. */
export type Csv = string | (() => Promise<void>);

const csvLook =
  "inline-flex min-h-11 items-center gap-1.5 px-2 text-sm underline underline-offset-4";

/** Takes all rows away as a file. */
export function CsvFile({ csv }: { csv: Csv }) {
  if (typeof csv !== "string") return <CsvButton take={csv} />;
  return (
    <a href={csv} download className={csvLook}>
      <CsvName />
    </a>
  );
}

function CsvName() {
  const t = useT();
  return (
    <>
      <DownloadIcon className="size-4 shrink-0" />
      {t("office.csv")}
    </>
  );
}

function CsvButton({ take }: { take: () => Promise<void> }) {
  const t = useT();
  const { mutate, isPending, error } = useMutation({ mutationFn: take });
  return (
    <>
      <p role="status" className="text-sm text-live-text empty:hidden">
        {error && errorText(error, t)}
      </p>
      <button
        type="button"
        aria-disabled={isPending}
        aria-busy={isPending || undefined}
        onClick={() => !isPending && mutate()}
        className={`${csvLook} aria-busy:opacity-60`}
      >
        <CsvName />
      </button>
    </>
  );
}
