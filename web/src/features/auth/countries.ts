import { useQuery } from "@tanstack/react-query";
import { type Country, countriesQuery } from "./api-login";

/** The house's own country: it stands first until the list is there, and where a code is in no list. */
const home: Country = { countryCode: "PH", countryDialingCode: "63", name: "Philippines" };

export function useCountries(): { countries: readonly Country[]; usual: string } {
  const { data } = useQuery(countriesQuery);
  const countries = data && data.length > 0 ? data : [home];
  return { countries, usual: countryOf(countries, "PH").countryDialingCode };
}

/** The country of a code; the current one where the list has none. */
export function countryOf(countries: readonly Country[], code: string): Country {
  return countries.find(({ countryCode }) => countryCode === code) ?? countries[0] ?? home;
}
