/** The texts that the parent handed over; `{0}` is replaced by the first argument, and so on. */
export type FrameText<K extends string> = (key: K, ...args: readonly (string | number)[]) => string;

export function frameText<K extends string>(
  messages: Readonly<Record<string, string>>,
): FrameText<K> {
  return (key, ...args) =>
    (messages[key] ?? key).replace(/\{(\d+)\}/g, (whole, index: string) =>
      String(args[Number(index)] ?? whole),
    );
}
