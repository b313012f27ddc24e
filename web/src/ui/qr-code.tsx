import { encode } from "uqr";

type QrCodeProps = { text: string; label: string; className?: string };

/** A text as a QR code, drawn here: nobody else sees what is in it. */
export default function QrCode({
  text,
  label,
  className = "size-48 justify-self-center",
}: QrCodeProps) {
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
      className={`qr rounded-xs ${className}`}
    >
      <path d={path} />
    </svg>
  );
}
