import { expect, test } from "./test";
import { addPerson, dialog } from "./colleagues";
import { axeFindings } from "./inspect";
import { openOffice } from "./office";
import { preferTheme, widths } from "./settled";

test("the trail names whom and what it is about, leads there, and has changes in words", async ({
  page,
}) => {
  await openOffice(page, "admin", "/staff");
  const person = await addPerson(page, "Salome Vera", "Support");
  await page.getByRole("row", { name: person.username }).getByRole("link").click();
  await dialog(page).getByLabel("The account is open").uncheck();
  await dialog(page).getByLabel("Reason").fill(`over for ${person.username}`);
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Audit trail" }).click();
  const row = page.getByRole("row", { name: `over for ${person.username}` });
  const subject = row.getByRole("link", { name: "Salome Vera" });
  await expect(subject).toBeVisible();
  await row.getByRole("button").click();
  const changed = dialog(page)
    .getByRole("listitem")
    .filter({ hasText: /^Changed/ });
  await expect(changed).toContainText("Account open: Yes → No");
  await expect(dialog(page)).not.toContainText("isActive");
  for (const theme of ["dark", "light"] as const) {
    await preferTheme(page, theme);
    expect.soft(await axeFindings(page), theme).toEqual([]);
  }
  await page.keyboard.press("Escape");
  await subject.click();
  await expect(page).toHaveURL(/\/staff\?person=/);
  await expect(dialog(page)).toContainText(person.username);
});

test("a long dialog has its title in its head once that is scrolled away", async ({ page }) => {
  await page.setViewportSize({ ...widths[0], height: 500 });
  await openOffice(page, "admin", "/staff");
  await page.getByRole("link", { name: "Carlo Santos" }).click();
  await expect(dialog(page).getByLabel("Reason")).toBeVisible();
  const head = () =>
    dialog(page).evaluate((popup) => {
      const bar = popup.querySelector(":scope > .sticky > div");
      return bar && getComputedStyle(bar, "::before").content;
    });
  await dialog(page).evaluate((popup) => popup.scrollTo(0, 0));
  await expect.poll(head).toBeNull();
  await dialog(page).evaluate((popup) => popup.scrollTo(0, 200));
  await expect.poll(head).toContain("Carlo Santos");
});

test("stakes are money, with its currency", async ({ page }) => {
  await openOffice(page, "admin", "/games?q=dice");
  const row = page.getByRole("row").filter({ hasText: "Dice" });
  await expect(row).toContainText(/₱[\d,]+\.\d\d – ₱[\d,]+,\d{3}\.\d\d → ₱/);
});
