/** A promotion's picture; without one our lattice takes its place. */
export function PromotionPicture({
  image,
  className,
}: {
  image: string | null | undefined;
  className: string;
}) {
  if (image) {
    return <img src={image} alt="" className={`w-full bg-canvas object-cover ${className}`} />;
  }
  return (
    <div className={`relative overflow-hidden bg-canvas ${className}`} aria-hidden="true">
      <div className="lattice lattice-fade absolute inset-0" />
    </div>
  );
}
