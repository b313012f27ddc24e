/** A username as it is shown on a screen: one that is a mobile number only in part, as the security center shows numbers. */
export function shownName(account: string): string {
  if (!/^\+\d{8,}$/.test(account)) return account;
  return `${account.slice(0, 4)}${"*".repeat(account.length - 7)}${account.slice(-3)}`;
}
