type BandBanner = { image: string | null; title: string };

/** The strip of capiz panes at the head of a popup; a banner may lie over it. Its height never changes. */
export function PopupBand({ banner }: { banner?: BandBanner | undefined }) {
  return (
    <div className="relative h-24 overflow-hidden border-b border-line bg-canvas">
      <div className="lattice lattice-fade absolute inset-0" aria-hidden="true" />
      {banner?.image && (
        <img
          src={banner.image}
          alt=""
          className="toast absolute inset-0 size-full object-cover object-right"
        />
      )}
      {banner && (
        <p
          data-name
          className={`display absolute inset-x-0 bottom-0 px-6 pt-6 pb-3 ${banner.image ? "tile-foot" : ""}`}
        >
          {banner.title}
        </p>
      )}
    </div>
  );
}
