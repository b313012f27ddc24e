/** The code of whoever sent the visitor here. It stands in the link and is kept for the visit. */
export type Invitation = { affiliateCode?: string; referralCode?: string };

const names = ["affiliateCode", "referralCode"] as const;
const longest = 64;

/** Takes the codes of a link, where it has some. */
export function noteInvitation(search: string, storage: Storage): void {
  const query = new URLSearchParams(search);
  for (const name of names) {
    const code = query.get(name)?.trim();
    if (code && code.length <= longest) storage.setItem(name, code);
  }
}

/** Forgets a code that turned out to be nobody's. */
export function dropInvitation(name: keyof Invitation, storage: Storage): void {
  storage.removeItem(name);
}

/** The codes of this visit. */
export function invitation(storage: Storage): Invitation {
  const codes: Invitation = {};
  for (const name of names) {
    const code = storage.getItem(name);
    if (code) codes[name] = code;
  }
  return codes;
}

/** The link by which a member brings others: an agent's guests join the agent's team, others' are counted as theirs. */
export function invitationLink(origin: string, code: string, isAgent: boolean): string {
  const name = isAgent ? "affiliateCode" : "referralCode";
  return `${origin}/register?${new URLSearchParams({ [name]: code })}`;
}
