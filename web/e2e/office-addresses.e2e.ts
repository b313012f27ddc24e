import { type Page, expect, strangersPage, test } from "./test";
import { newNumber } from "./behind";
import { openOffice, openPalette } from "./office";
import { newPlayer } from "./player";
import { officeUrl } from "./site";

/** Every address that the page has, goes to, calls or links to, as far as it can be seen. */
function watchAddresses(page: Page): () => Promise<string> {
  const seen: string[] = [];
  page.on("request", (request) => seen.push(request.url()));
  page.on("framenavigated", (frame) => seen.push(frame.url()));
  return async () => {
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    return decodeURIComponent([...seen, ...links, page.url()].join("\n"));
  };
}

const rows = (page: Page, name: string) => page.getByRole("table", { name }).getByRole("rowheader");

const filter = (page: Page) => page.getByRole("search");

test("who is looked for is in no address, and is there again after going back", async ({
  page,
  browser,
}) => {
  const { name } = await newPlayer(await strangersPage(browser));
  await openOffice(page, "support", "/members");
  const addresses = watchAddresses(page);
  const field = page.getByLabel("Find a member");
  await field.fill(name);
  await expect(rows(page, "Members")).toHaveText([name]);
  await filter(page).getByLabel("State").selectOption("Active");
  await expect(page).toHaveURL(`${officeUrl}/members?state=active`);
  await rows(page, "Members").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

  await page.goBack();
  await expect(field).toHaveValue(name);
  await expect(rows(page, "Members")).toHaveText([name]);
  await page.reload();
  await expect(field).toHaveValue(name);
  await expect(rows(page, "Members")).toHaveText([name]);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(field).toHaveValue("");
  await expect(page).toHaveURL(`${officeUrl}/members`);
  await page.goBack();
  await expect(field).toHaveValue(name);

  await openPalette(page);
  await page.getByRole("dialog").getByRole("combobox").fill(name);
  await expect(page.getByRole("dialog").getByRole("option", { name })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  expect(await addresses()).not.toContain(name);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
    name,
  );
});

test("members follow each other page by page, and no address says where", async ({ page }) => {
  await openOffice(page, "support", "/members");
  // The server says that there are more, whoever is found.
  const next = "0197c000-0000-7000-8000-000000000000~+639170000001";
  const asked: unknown[] = [];
  await page.route("**/office/api/members/find", async (route) => {
    asked.push(route.request().postDataJSON());
    const response = await route.fetch({ postData: JSON.stringify({ limit: 50 }) });
    const answer = (await response.json()) as { value: object };
    await route.fulfill({ response, json: { ...answer, value: { ...answer.value, next } } });
  });
  const addresses = watchAddresses(page);
  await page.getByLabel("Find a member").fill("0917");
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page.getByRole("link", { name: "First page" })).toBeVisible();
  expect(asked.at(-1)).toEqual({ q: "0917", after: next, limit: 50 });
  await page.getByRole("link", { name: "First page" }).click();
  await expect(page.getByRole("link", { name: "First page" })).toHaveCount(0);
  await expect(page.getByLabel("Find a member")).toHaveValue("0917");
  await page.goBack();
  await expect(page.getByRole("link", { name: "First page" })).toBeVisible();
  expect(await addresses()).not.toContain("0917");
});

test("recipients and colleagues are looked for in no address either", async ({ page }) => {
  const { typed } = newNumber();
  await openOffice(page, "admin", "/service?tab=messages");
  const addresses = watchAddresses(page);
  const asked: string[] = [];
  await page.route("**/find", (route) => {
    asked.push(`${route.request().url()} ${route.request().postData() ?? ""}`);
    return route.continue();
  });
  const find = async (label: string, text: string, answer: string) => {
    await filter(page).getByLabel(label).fill(text);
    const call = new RegExp(`/office/api/${answer}/find .*${text}`);
    await expect.poll(() => asked.filter((one) => call.test(one)).length).toBeGreaterThan(0);
  };
  await find("To: the whole number or address", typed, "service/messages");
  await page.goto(`${officeUrl}/trail?actor=somebody`);
  await expect(page.getByRole("combobox", { name: "Who" })).toHaveValue("");
  await find("Who", "nobody.at.all", "trail");
  await find("To what", "person:nobody", "trail");
  await page.goto(`${officeUrl}/staff`);
  await page.getByLabel("Name or username").fill("carlo");
  await expect(rows(page, "People")).toHaveText(["Carlo Santos"]);
  await page.getByRole("button", { name: "Save as CSV" }).click();
  await page.goto(`${officeUrl}/settings?tab=history`);
  await filter(page).getByLabel("Who").fill("nobody.here");
  await expect(page.getByText("No change fits.")).toBeVisible();
  const all = await addresses();
  for (const text of [typed, "nobody", "carlo"]) expect(all).not.toContain(text);
});
