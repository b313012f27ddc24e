import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { applyPush } from "@/lib/push/apply";
import { balanceQuery } from "./api";

const balance = (version: number) => ({ currency: "PHP", balance: String(version), version });

function answerWith(value: object): void {
  const answered = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return Response.json({ success: true, value, message: null });
  };
  vi.stubGlobal("fetch", answered);
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("localStorage", { getItem: () => null });
}

it("keeps a pushed balance that is newer than the answer which was on its way", async () => {
  answerWith(balance(4));
  const client = new QueryClient();
  const fetched = client.fetchQuery(balanceQuery);
  applyPush(client, { topic: "member", type: "balance", balance: balance(5) });
  await fetched;
  expect(client.getQueryData(balanceQuery.queryKey)).toEqual(balance(5));
});
