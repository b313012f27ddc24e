import { useQuery } from "@tanstack/react-query";
import { getBoot } from "@/lib/boot/boot";
import { type Country, countriesQuery } from "./api-login";

/**
 * The merchant's own country first, then the others. Before the list is there nothing but the merchant's dialing code
 * is known.
 */
export function countriesOf(
  usual: string,
  list: readonly Country[] | undefined,
): readonly [Country, ...Country[]] {
  const own = list?.find(({ countryDialingCode }) => countryDialingCode === usual);
  const first = own ?? { countryCode: "", countryDialingCode: usual, name: "" };
  return [first, ...(list ?? []).filter((country) => country !== own)];
}

/** The countries of mobile numbers, and the dialing code of those that come without one. */
export function useCountries(): {
  countries: readonly Country[];
  usual: string;
  /** Whether no more of them will come. */
  isWhole: boolean;
} {
  const { data, isPending } = useQuery(countriesQuery);
  const usual = getBoot().merchant.dialingCode;
  return { countries: countriesOf(usual, data), usual, isWhole: !isPending };
}
