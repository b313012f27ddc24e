import { encode } from "uqr";

/** A text as a QR code, drawn here: nobody else sees what is in it. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="qr size-48 justify-self-center rounded-xs"
    >
      <path d={path} />
    </svg>
  );
}
