import { shownName } from "../src/lib/shown-name";
import { type Browser, type Page, expect, strangersPage } from "./test";
import { bytesOf, digitsOf } from "./authenticator";
import { inDatabase, newNumber, test } from "./behind";
import { fillPerson } from "./forms";
import { type Colleague, fillLogin, openOffice } from "./office";
import { password } from "./player";
import { newRequest } from "./requests";
import { officeUrl } from "./site";

const dialog = (page: Page) => page.getByRole("dialog");
const menu = (page: Page) => page.getByRole("navigation", { name: "Main menu" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Somebody's own browser in the office. */
async function browserOf(browser: Browser, who: Colleague, path: string): Promise<Page> {
  const page = await strangersPage(browser);
  await openOffice(page, who, path);
  return page;
}

test("two people, two browsers: what one asks for shows at the other's, and the decision back", async ({
  page,
  browser,
}) => {
  const cashier = await browserOf(browser, "cashier", "/approvals?by=me");
  const admin = await browserOf(browser, "admin", "/approvals?by=others");
  const { sentence } = await newRequest(page, cashier);

  // Nobody loads anything again: it comes by itself.
  await expect(admin.getByRole("link", { name: sentence })).toBeVisible();
  await expect(menu(admin).getByRole("link", { name: /Approvals \d+ to decide/ })).toBeVisible();
  const own = cashier.getByRole("row", { name: sentence });
  await expect(own).toContainText("Open");

  // Whoever asked sees why the buttons are missing.
  await own.getByRole("link").click();
  await expect(dialog(cashier)).toContainText("somebody else has to decide");
  await expect(dialog(cashier).getByRole("button", { name: "Agree" })).toHaveCount(0);
  await cashier.keyboard.press("Escape");

  await admin.getByRole("link", { name: sentence }).click();
  await expect(dialog(admin)).toContainText("a round was paid twice");
  await expect(dialog(admin)).toContainText("added to the member's main balance");
  await dialog(admin).getByRole("button", { name: "Agree" }).click();
  await dialog(admin).getByRole("button", { name: "Agree" }).click();
  await expect(dialog(admin).getByLabel("Reason")).toHaveAccessibleDescription(/Say why/);
  await dialog(admin).getByLabel("Reason").fill("seen in the rounds");
  await dialog(admin).getByRole("button", { name: "Agree" }).click();
  await expect(dialog(admin)).toContainText("Agreed and done");
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("link", { name: sentence })).toHaveCount(0);

  // The cashier's queue of open ones is shorter now, by itself; among all it is done.
  await expect(own).toHaveCount(0);
  await cashier.getByRole("combobox", { name: "State" }).selectOption("All");
  await expect(cashier.getByRole("row", { name: sentence })).toContainText("Agreed and done");
});

test("a request is taken back by whoever made it", async ({ page, browser }) => {
  const cashier = await browserOf(browser, "cashier", "/approvals");
  const { id, sentence } = await newRequest(page, cashier);
  await cashier.goto(`${officeUrl}/approvals?approval=${id}`);
  await dialog(cashier).getByRole("button", { name: "Take it back" }).click();
  await dialog(cashier).getByLabel("Reason").fill("it was another member");
  await dialog(cashier).getByRole("button", { name: "Take it back" }).click();
  await expect(dialog(cashier)).toContainText("Taken back");
  await cashier.keyboard.press("Escape");
  await expect(cashier.getByRole("link", { name: sentence })).toHaveCount(0);
});

test("an open page notices that its session was ended elsewhere", async ({ browser }) => {
  const admin = await browserOf(browser, "admin", "/staff");
  const username = `e2e.${Date.now().toString(36)}`;
  const made = await admin.evaluate(async (username) => {
    const answer = await fetch("/office/api/staff", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Office-Page": "1" },
      body: JSON.stringify({ username, name: "Ligaya", roles: ["support"], reason: "a test" }),
    });
    return ((await answer.json()) as { value: { id: string; password: string; secret: string } })
      .value;
  }, username);
  const theirs = await strangersPage(browser);
  await theirs.goto(officeUrl);
  const code = digitsOf(bytesOf(made.secret), Date.now());
  await fillLogin(theirs, username, made.password, code);
  await expect(heading(theirs)).toHaveText("My desk");
  await admin.evaluate(
    async ([id]) =>
      fetch(`/office/api/staff/${id}`, {
        method: "PUT",
        headers: { "Content-Type": "application/json", "X-Office-Page": "1" },
        body: JSON.stringify({ name: "L", roles: [], isActive: false, reason: "the test is over" }),
      }).then(({ ok }) => ok),
    [made.id] as const,
  );
  await expect(theirs.getByText("Your session is over.")).toBeVisible();
});

test("the operator reads the code in the outbox, and the player registers with it", async ({
  page,
  browser,
}) => {
  const number = newNumber();
  await page.goto("/register");
  const form = dialog(page);
  await form.getByRole("tab", { name: "By mobile number" }).click();
  await form.getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByLabel("Confirm the password").fill(password);
  await fillPerson(form);
  await form.getByRole("button", { name: "Send code" }).click();

  const admin = await browserOf(browser, "admin", "/service?tab=messages");
  await admin.getByLabel("To: the whole number or address").fill(`0${number.typed}`);
  // The messages to others stay until theirs has come.
  await expect(admin.locator("table:not([aria-busy]) tbody tr")).toHaveCount(1);
  await admin.getByRole("button", { name: "Code to register" }).click();
  const message = dialog(admin);
  await expect(message).toContainText("Kept here");
  await expect(message).not.toContainText(number.e164);
  await message.getByLabel("Reason").fill("the player asks on the phone");
  await message.getByRole("button", { name: "Open it" }).click();
  await expect(message).toContainText(number.e164);
  const text = await message.getByText(/^\d{6} /).textContent();
  const code = /^\d{6}/.exec(text ?? "")?.[0] ?? "";

  await form.getByLabel("Verification code").fill(code);
  await form.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByText(`Welcome, ${shownName(number.e164)}!`)).toBeVisible();

  await admin.goto(`${officeUrl}/trail?action=service.open`);
  await expect(admin.getByRole("row", { name: /the player asks on the phone/ })).toBeVisible();
});

test("a dead job is seen, and runs again", async ({ browser }) => {
  const key = `e2e-${Date.now()}`;
  await inDatabase(
    (sql) => sql`
      insert into platform_jobs (id, kind, payload, due_at, state, attempts, last_error, created_at, finished_at)
      values (gen_random_uuid(), 'platform.seal.purge', ${sql.json({ test: key })}, now(), 'dead', 10,
              'the printer is on fire', now(), now())`,
  );
  const admin = await browserOf(browser, "admin", "/service?tab=jobs");
  const row = admin.getByRole("row", { name: key });
  await expect(row).toContainText("the printer is on fire");
  await expect(menu(admin).getByRole("link", { name: /Service needs a look/ })).toBeVisible();
  await row.getByRole("button", { name: "Run it again" }).click();
  await dialog(admin).getByLabel("Reason").fill("the fire is out");
  await dialog(admin).getByRole("button", { name: "Run it again" }).click();
  await expect(admin.getByText("The job is queued again.")).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("health is shown, checks are made on request, and outside services are tried", async ({
  browser,
}) => {
  const admin = await browserOf(browser, "admin", "/service");
  const ledger = admin.getByRole("region", { name: "Ledger", exact: true });
  await expect(ledger).toContainText("all of it holds");
  for (const part of ["Writer of the ledger", "Database", "Push", "Passwords", "This node"]) {
    await expect(admin.getByRole("region", { name: part })).toBeVisible();
  }
  await ledger.getByRole("button", { name: "Check now" }).click();
  await dialog(admin).getByLabel("Reason").fill("before the audit");
  await dialog(admin).getByRole("button", { name: "Check now" }).click();
  await expect(admin.getByText("The check is on its way.")).toBeVisible();

  await admin.getByRole("link", { name: "Outside services" }).click();
  await expect(admin).toHaveURL(/tab=outside/);
  await admin.getByRole("button", { name: "Try it: Sign-in by OpenID Connect" }).click();
  await dialog(admin).getByLabel("Reason").fill("is it there?");
  await dialog(admin).getByRole("button", { name: "Try it" }).click();
  await expect(dialog(admin).getByRole("status")).toContainText(/It works: .* has \d+ keys/);
  await admin.keyboard.press("Escape");
  await expect(admin.getByText("Codes for phones are kept under Messages")).toBeVisible();
});

test("each sees the parts of the service that their roles open", async ({ browser }) => {
  const support = await browserOf(browser, "support", "/service");
  await expect(support.getByRole("table", { name: "Messages" })).toBeVisible();
  await expect(support.getByRole("navigation", { name: "Service" })).toHaveCount(0);
  const auditor = await browserOf(browser, "auditor", "/service");
  await expect(auditor.getByRole("navigation", { name: "Service" }).getByRole("link")).toHaveText([
    "Health",
    "Jobs",
    "Messages",
    "Outside services",
  ]);
  await expect(auditor.getByRole("button", { name: "Check now" })).toHaveCount(0);
  const content = await browserOf(browser, "content", "/service");
  await expect(heading(content)).toHaveText("Your roles do not allow this.");
});

test("the people are saved as a file", async ({ browser }) => {
  const auditor = await browserOf(browser, "auditor", "/staff");
  const waiting = auditor.waitForEvent("download");
  await auditor.getByRole("button", { name: "Save as CSV" }).click();
  expect((await waiting).suggestedFilename()).toBe("people.csv");
});
