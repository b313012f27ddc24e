import { queryOptions } from "@tanstack/react-query";
import { withProof } from "@/features/auth/sign-in";
import { call } from "@/lib/api/client";
import { pushed } from "@/lib/push/keys";
import type { ContactKind } from "./model";

export type Application = {
  name: string;
  contactKind: ContactKind;
  contact: string;
  audience: string;
  message: string;
  affiliateCode: string | null;
  referralCode: string | null;
};

export type OwnApplication = {
  id: string;
  status: "OPEN" | "ACCEPTED" | "REFUSED";
  answer: string | null;
  createdAt: string;
};

/** The member's latest application. An answer is pushed. */
export const applicationQuery = queryOptions({
  queryKey: pushed.application,
  queryFn: ({ signal }) => call<OwnApplication | null>("GET", "/wps/agent/affiliate", { signal }),
});

/** Applies to be an affiliate; whoever has no account, or a demo, proves to be human. */
export function apply(application: Application, proves: boolean): Promise<{ id: string }> {
  const send = (human?: string) =>
    call<{ id: string }>("PUT", "/wps/agent/affiliate", { body: { ...application, human } });
  return proves ? withProof(send) : send();
}
