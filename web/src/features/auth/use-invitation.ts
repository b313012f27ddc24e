import { useState } from "react";
import { isApiError } from "@/lib/api/client";
import { checkShape } from "@/lib/patterns/patterns";
import { type RegisterRules, checkInvitation } from "./api-login";
import { type Invitation, dropInvitation, invitation } from "./invitation";

/**
 * The codes of a link that a form takes along. What the merchant has switched off goes with none; a friend's code that
 * cannot be one (a link was cut off) is as good as none.
 */
export function carried(codes: Invitation, rules: RegisterRules): Invitation {
  const isOn = (name: keyof Invitation) => rules[name]?.enabled !== false;
  const { affiliateCode, referralCode } = codes;
  const shape = rules["referralCode"];
  const isCode = (text: string) => !shape || checkShape(shape, text) === null;
  return {
    ...(affiliateCode && isOn("affiliateCode") && { affiliateCode }),
    ...(referralCode && isOn("referralCode") && isCode(referralCode) && { referralCode }),
  };
}

export type LinkedInvitation = {
  invited: Invitation;
  /**
   * Has an agent's code verified before what it goes with is sent. A wrong one of the link is forgotten: it stands in
   * no field where it could be taken out.
   */
  withVerified: <T>(code: string | undefined, send: () => Promise<T>) => Promise<T>;
};

/** The codes that came with the link of this visit. */
export function useInvitation(rules: RegisterRules): LinkedInvitation {
  const [codes, setCodes] = useState(() => invitation(sessionStorage));
  const leaveOut = () => {
    dropInvitation("affiliateCode", sessionStorage);
    setCodes(invitation(sessionStorage));
  };
  const withVerified: LinkedInvitation["withVerified"] = async (code, send) => {
    try {
      if (code) await checkInvitation(code);
      return await send();
    } catch (error) {
      if (isApiError(error, "member.invitation_code")) leaveOut();
      throw error;
    }
  };
  return { invited: carried(codes, rules), withVerified };
}
