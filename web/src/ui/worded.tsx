import { Children, Fragment, type ReactNode } from "react";

/** A message whose places `{0}`, `{1}`, … are taken by elements: the language decides where they stand. */
export function Worded({ text, children }: { text: string; children: ReactNode }) {
  const elements = Children.toArray(children);
  return text
    .split(/(\{\d+\})/)
    .map((piece, index) => (
      <Fragment key={index}>
        {/^\{\d+\}$/.test(piece) ? elements[Number(piece.slice(1, -1))] : piece}
      </Fragment>
    ));
}
