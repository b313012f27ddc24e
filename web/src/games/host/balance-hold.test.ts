import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";

import { balanceQuery } from "@/features/wallet/api";
import { applyPush } from "@/lib/push/apply";

import { BalanceHold } from "./balance-hold";

const balance = (amount: string, version: number) => ({
  balance: amount,
  currency: "PHP",
  version,
});

function pageWith(amount: string) {
  const client = new QueryClient();
  client.setQueryData(balanceQuery.queryKey, balance(amount, 1));
  const push = (text: string, version: number) =>
    applyPush(client, { topic: "member", type: "balance", balance: balance(text, version) });
  const shown = () => client.getQueryData(balanceQuery.queryKey)?.balance;
  return { client, push, shown, hold: new BalanceHold(client) };
}

describe("the balance while a result is shown", () => {
  it("stays as it is, and is the newest afterwards", () => {
    const { push, shown, hold } = pageWith("100");
    hold.hold();
    push("90", 2);
    push("140", 3);
    push("90", 2);
    expect(shown()).toBe("100");
    hold.release();
    expect(shown()).toBe("140");
  });

  it("stays as it is also where it was fetched", async () => {
    const client = new QueryClient();
    const queryFn = () => Promise.resolve(balance("100", 1));
    await client.fetchQuery({ ...balanceQuery, queryFn });
    const hold = new BalanceHold(client);
    hold.hold();
    applyPush(client, { topic: "member", type: "balance", balance: balance("90", 2) });
    expect(client.getQueryData(balanceQuery.queryKey)?.balance).toBe("100");
    hold.release();
    expect(client.getQueryData(balanceQuery.queryKey)?.balance).toBe("90");
  });

  it("follows at once when no result is shown", () => {
    const { push, shown, hold } = pageWith("100");
    hold.hold();
    hold.release();
    push("90", 2);
    expect(shown()).toBe("90");
    hold.hold();
    hold.hold();
    push("95", 3);
    hold.release();
    expect(shown()).toBe("95");
  });

  it("lets other things of the page change", () => {
    const { client, hold } = pageWith("100");
    hold.hold();
    client.setQueryData(["games", "winners"], ["one"]);
    expect(client.getQueryData(["games", "winners"])).toEqual(["one"]);
  });
});
