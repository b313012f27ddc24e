/** The username that stands in the form around a button, or in its popup; undefined where there is no such field. */
export function typedName(button: HTMLButtonElement): string | undefined {
  const place = button.form ?? button.closest("dialog");
  return place?.querySelector<HTMLInputElement>("[name=username]")?.value.trim();
}
