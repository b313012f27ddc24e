import { type Page, expect, strangersPage, test } from "./test";
import { newNumber } from "./behind";
import { openOffice, openPalette } from "./office";
import { newPlayer } from "./player";
import { officeUrl } from "./site";

/** Tells every address that the page links to from now on, also for a moment. */
function tellLinks(): void {
  const tell = (links: Iterable<HTMLAnchorElement>) => {
    for (const { href } of links) void (Reflect.get(globalThis, "seeAddress") as Tell)(href);
  };
  const look = () => tell(document.querySelectorAll<HTMLAnchorElement>("a[href]"));
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ["href"],
  });
  look();
}

type Tell = (address: string) => Promise<void>;

/** Every address that the page has, goes to, calls or links to, as far as it can be seen. */
async function watchAddresses(page: Page): Promise<() => Promise<string>> {
  const seen = new Set<string>();
  page.on("request", (request) => seen.add(request.url()));
  page.on("framenavigated", (frame) => seen.add(frame.url()));
  await page.exposeFunction("seeAddress", (address: string) => void seen.add(address));
  await page.addInitScript(tellLinks);
  await page.evaluate(tellLinks);
  return async () => {
    // Whatever the page tells before it answers is known by then.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(seen).toContain(`${officeUrl}/members`);
    return decodeURIComponent([...seen, page.url()].join("\n"));
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
  const addresses = await watchAddresses(page);
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
  // The server says that there are more, whoever is found.
  const next = "0197c000-0000-7000-8000-000000000000~+639170000001";
  const asked: unknown[] = [];
  await page.route("**/office/api/members/find", async (route) => {
    asked.push(route.request().postDataJSON());
    const response = await route.fetch({ postData: JSON.stringify({ limit: 50 }) });
    const answer = (await response.json()) as { value: object };
    await route.fulfill({ response, json: { ...answer, value: { ...answer.value, next } } });
  });
  await openOffice(page, "support", "/members");
  const addresses = await watchAddresses(page);
  await page.getByLabel("Find a member").fill("0917");
  // What is typed is asked for a moment later, and begins at the first page.
  await expect.poll(() => asked.at(-1)).toMatchObject({ q: "0917" });
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page.getByRole("button", { name: "First page" })).toBeVisible();
  await expect.poll(() => asked.at(-1)).toEqual({ q: "0917", after: next, limit: 50 });
  await page.getByRole("button", { name: "First page" }).click();
  await expect(page.getByRole("button", { name: "First page" })).toHaveCount(0);
  await expect(page.getByLabel("Find a member")).toHaveValue("0917");
  await page.goBack();
  await expect(page.getByRole("button", { name: "First page" })).toBeVisible();
  expect(await addresses()).not.toContain("0917");
  // An answer that is still under way would be asked for after the end.
  await page.unrouteAll({ behavior: "wait" });
});

/** The subject that the entry of the history keeps. */
const soughtOf = () => (history.state as { sought?: { subject?: string } }).sought?.subject;

test("recipients and colleagues are looked for in no address either", async ({ page }) => {
  const { typed } = newNumber();
  await openOffice(page, "admin", "/service?tab=messages");
  const addresses = await watchAddresses(page);
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
  // A space may be followed by more: it stays where it is typed.
  await filter(page).getByLabel("To what").fill("person:nobody ");
  await expect.poll(() => page.evaluate(soughtOf)).toBe("person:nobody ");
  await expect(filter(page).getByLabel("To what")).toHaveValue("person:nobody ");
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

test("a new tab opens with all that its link looks for; what is in no address is no link", async ({
  page,
}) => {
  await openOffice(page, "admin", "/trail?action=staff.login");
  const list = page.getByRole("table", { name: "Audit trail" });
  await filter(page).getByLabel("Who").fill("admin");
  await expect(list.getByRole("rowheader").first()).toHaveText("Logged in");
  await list.getByRole("rowheader").first().getByRole("button").click();
  const row = page.getByRole("dialog");
  await expect(row.getByRole("button", { name: "Everything done by this person" })).toBeVisible();
  const of = row.getByRole("link", { name: "Everything done to this" });
  const href = (await of.getAttribute("href")) ?? "";
  expect(href).toMatch(/^\/trail\?of=person%3A[\da-f-]{36}$/);
  const tab = await page.context().newPage();
  await tab.goto(officeUrl + href);
  const subject = tab.getByRole("search").getByLabel("To what");
  await expect(subject).toHaveValue(decodeURIComponent(href.slice("/trail?of=".length)));
  await tab.close();
  await row.getByRole("button", { name: "Everything done by this person" }).click();
  await expect(page).toHaveURL(`${officeUrl}/trail`);
  await expect(filter(page).getByLabel("Who")).toHaveValue("admin");

  await page.goto(`${officeUrl}/staff`);
  await expect(rows(page, "People").first().getByRole("link")).toBeVisible();
  await page.getByLabel("Name or username").fill("carlo");
  await rows(page, "People").getByRole("button", { name: "Carlo Santos" }).click();
  await expect(page).toHaveURL(/\/staff\?person=[\da-f-]{36}$/);
  await row.getByRole("button", { name: "Close" }).click();
  await expect(page.getByLabel("Name or username")).toHaveValue("carlo");
});
