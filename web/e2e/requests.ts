import type { Page } from "@playwright/test";
import { newPlayer } from "./player";

/** Asks for a correction through the API, as the cashier's page; gives the request's id. */
async function askFor(page: Page, memberId: string, amount: string): Promise<string> {
  return page.evaluate(
    async ([memberId, amount]) => {
      const answer = await fetch("/office/api/approvals", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Office-Page": "1" },
        body: JSON.stringify({
          kind: "wallet.correct",
          what: { memberId, direction: "credit", amount },
          reason: "a round was paid twice",
        }),
      });
      return ((await answer.json()) as { value: string }).value;
    },
    [memberId, amount] as const,
  );
}

/** A member with a request about them; gives the sentence that the queue has for it. */
export async function newRequest(
  page: Page,
  cashier: Page,
): Promise<{ id: string; sentence: string }> {
  const player = await newPlayer(page);
  const { holderId } = await player.transfers();
  const id = await askFor(cashier, holderId, "12.5");
  return { id, sentence: `Give ₱12.50 to ${player.name}` };
}
