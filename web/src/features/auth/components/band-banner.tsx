import { useQuery } from "@tanstack/react-query";
import { type BannerGroup, bannersQuery } from "@/lib/banners";
import { useLang } from "@/lib/i18n/i18n";
import { PopupBand } from "@/ui/popup-band";

/** The banner at the head of a popup. */
export default function BandBanner({ group }: { group: BannerGroup }) {
  const lang = useLang();
  const { data } = useQuery(bannersQuery(group, lang));
  const banner = data?.[0];
  return <PopupBand banner={banner && { image: banner.image, title: banner.title }} />;
}
