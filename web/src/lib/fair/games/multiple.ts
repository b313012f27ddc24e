import { PAYABLE, type Units, floorTo, moneyText, ratioText } from "@/lib/money/money";

/** What a stake is multiplied with, as an exact fraction. */
export type Multiple = { readonly top: bigint; readonly bottom: bigint };

export const nothing: Multiple = { top: 0n, bottom: 1n };

export function hundredths(count: number): Multiple {
  return { top: BigInt(count), bottom: 100n };
}

export function times(one: Multiple, top: number, bottom: number): Multiple {
  return { top: one.top * BigInt(top), bottom: one.bottom * BigInt(bottom) };
}

/** What a stake becomes, rounded down to the payable unit. */
export function payoutOf(multiple: Multiple, stake: Units): Units {
  return floorTo((stake * multiple.top) / multiple.bottom, PAYABLE);
}

/** With at most four decimals, rounded down, and without needless zeros: "1.0312". */
export function multipleText({ top, bottom }: Multiple): string {
  return moneyText((top * 10_000n) / bottom);
}

/** A return in percent with so many decimals: "95.78". */
export function percentText({ top, bottom }: Multiple, places = 2): string {
  return ratioText(top * 100n, bottom, places);
}
