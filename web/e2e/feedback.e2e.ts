import { type Page, expect, strangersPage, test } from "./test";
import { openOffice } from "./office";
import { newName, newPlayer, openAs } from "./player";
import { officeUrl } from "./site";

const form = (page: Page) => page.getByRole("dialog", { name: "Write to the house" });

/** The help center offers it to whoever finds no answer. */
async function openForm(page: Page): Promise<void> {
  await page.goto("/help");
  await page.getByRole("dialog").getByRole("button", { name: "Write to us" }).click();
  await expect(form(page)).toBeVisible();
}

test("a visitor writes, and says where the answer goes", async ({ page }) => {
  await openForm(page);
  await form(page).getByRole("button", { name: "Send" }).click();
  const content = form(page).getByLabel("Your message");
  await expect(content).toHaveAccessibleDescription(/cannot be empty.*0 \/ 1000/);
  await content.fill("Too short");
  await expect(content).toHaveAccessibleDescription(/between 10 and 1000.*9 \/ 1000/);
  await content.fill("Where do I find the seeds of my rounds?");
  const contact = form(page).getByLabel("Where can we reach you?");
  await expect(contact).toHaveAttribute("aria-invalid", "true");
  await contact.fill("ana@example.ph");
  await form(page).getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("We will answer you at the contact you gave.")).toBeVisible();
  await expect(form(page)).toHaveCount(0);
  // What opened it is gone: one goes on at the page's heading.
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeFocused();
});

test("a member sees the answer as soon as the office has given it", async ({ page, browser }) => {
  const player = await newPlayer(page);
  await openAs(page, player, "/");
  await openForm(page);
  const question = `Why did my round end, asks ${newName()}?`;
  await form(page).getByLabel("What is it about?").selectOption("GAME");
  await form(page).getByLabel("Your message").fill(question);
  await form(page).getByRole("button", { name: "Send" }).click();
  const message = form(page).getByRole("listitem").filter({ hasText: question });
  await expect(message).toContainText("Waiting for an answer");
  await expect(form(page).getByRole("tab", { selected: true })).toBeFocused();

  const office = await strangersPage(browser);
  await openOffice(office, "support");
  await office.evaluate(
    async ([url, question]) => {
      const headers = { "Content-Type": "application/json", "X-Office-Page": "1" };
      const list = await fetch(`${url}/office/api/feedback?status=OPEN&limit=50`, { headers });
      const { value } = (await list.json()) as { value: { id: string; content: string }[] };
      const found = value.find(({ content }) => content === question);
      await fetch(`${url}/office/api/feedback/${found?.id}/answer`, {
        method: "POST",
        headers,
        body: JSON.stringify({ answer: "Because you cashed out." }),
      });
    },
    [officeUrl, question] as const,
  );
  await expect(message).toContainText("Because you cashed out.");
  await expect(message).toContainText("Answered");
  await office.context().close();
});

test("an affiliate applies and finds the application on the page", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/join?affiliateCode=ANA-77");
  await page.getByRole("button", { name: "Send the application" }).click();
  const name = page.getByLabel("Your name");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await name.fill("Ana Reyes");
  await page.getByLabel("Address or number").fill("ana@example.ph");
  await page.getByLabel("Whom do you reach, and where?").fill("A page about fishing in Capiz.");
  await page.getByRole("button", { name: "Send the application" }).click();
  await expect(page.getByText("We have your application")).toBeVisible();
});
