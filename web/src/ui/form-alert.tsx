import { Icon } from "./icon";

/** What is wrong with the form as a whole. */
export function FormAlert({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <p role="alert" className="leaf flex items-start gap-2.5 border border-live p-3 text-sm">
      <Icon name="alert" className="mt-px size-5 shrink-0 text-live-text" />
      {text}
    </p>
  );
}
