import { shownName } from "../src/lib/shown-name";
import { type Page, expect } from "./test";
import { newNumber, newSite, test } from "./behind";
import { dialog, fillPerson, leave } from "./forms";
import { accountButton, password } from "./player";
import { widths } from "./settled";

/** A site whose numbers are proved by the phone service. */
const servedSite = (page: Page) => newSite(page, { PHONESERVICE3: true });

/** Presses a button and answers in the service's window. */
async function verify(page: Page, button: string, answer: "Go on" | "Refuse"): Promise<string> {
  const [window] = await Promise.all([
    page.waitForEvent("popup"),
    dialog(page).getByRole("button", { name: button }).click(),
  ]);
  const asked = await window.getByLabel("Your number").inputValue();
  // Once it is gone nothing of the page still waits for it, the page's clock included.
  const closed = window.waitForEvent("close");
  await window.getByRole("button", { name: answer }).click();
  await closed;
  return asked;
}

async function openMobileWay(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await dialog(page).getByRole("tab", { name: "By mobile number" }).click();
}

for (const size of widths) {
  test(`the phone service registers a number and logs it in, at ${size.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    const site = await servedSite(page);
    const number = newNumber();
    await openMobileWay(page, `${site}/register`);
    const form = dialog(page);
    await expect(form.getByLabel("Verification code")).toHaveCount(0);
    await form.getByRole("textbox", { name: "Mobile number" }).fill(`0${number.typed}`);
    await form.getByLabel("Password", { exact: true }).fill(password);
    await form.getByLabel("Confirm the password").fill(password);
    await fillPerson(form);
    await form.getByRole("button", { name: "Create the account" }).click();
    await expect(form.getByText("Please verify the number first.")).toBeVisible();
    expect(await verify(page, "Verify the number", "Go on")).toBe(number.e164);
    await expect(form.getByText("This number is verified.")).toBeVisible();
    // The proof is one number's: another one has none.
    await form.getByRole("textbox", { name: "Mobile number" }).fill("9170000001");
    await expect(form.getByText("This number is verified.")).toHaveCount(0);
    await expect(form.getByRole("button", { name: /^Again in \d+ s$/ })).toBeDisabled();
    await form.getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
    await form.getByRole("button", { name: "Create the account" }).click();
    await expect(form.getByText("Please verify the number first.")).toBeVisible();
    await page.clock.install();
    await openMobileWay(page, `${site}/register`);
    await form.getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
    await form.getByLabel("Password", { exact: true }).fill(password);
    await form.getByLabel("Confirm the password").fill(password);
    await fillPerson(form);
    await verify(page, "Verify the number", "Refuse");
    await expect(form.getByText("The phone number could not be verified.")).toBeVisible();
    const resting = form.getByRole("button", { name: /^Again in \d+ s$/ });
    await expect(resting).toHaveText(/Again in (60|[1-5]\d) s/);
    await page.clock.fastForward("01:01");
    await expect(resting).toHaveCount(0);
    await verify(page, "Verify the number", "Go on");
    await expect(form.getByText("This number is verified.")).toBeVisible();
    await form.getByRole("button", { name: "Create the account" }).click();
    await expect(accountButton(page)).toContainText(shownName(number.e164));

    await leave(page);
    await openMobileWay(page, `${site}/login`);
    await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
    await verify(page, "Verify the number and log in", "Go on");
    await expect(accountButton(page)).toContainText(shownName(number.e164));
    await expect(page).toHaveURL(`${site}/`);
  });
}

test("a number that is nobody's is told to register, and a closed window is told in words", async ({
  page,
}) => {
  const site = await servedSite(page);
  await openMobileWay(page, `${site}/login`);
  await dialog(page).getByRole("button", { name: "Verify the number and log in" }).click();
  await expect(
    dialog(page).getByRole("textbox", { name: "Mobile number" }),
  ).toHaveAccessibleDescription(/Missing/);
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(newNumber().typed);
  await verify(page, "Verify the number and log in", "Go on");
  await expect(dialog(page).getByRole("alert")).toHaveText(/No account has this phone number/);
  await openMobileWay(page, `${site}/login`);
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(newNumber().typed);
  const [window] = await Promise.all([
    page.waitForEvent("popup"),
    dialog(page).getByRole("button", { name: "Verify the number and log in" }).click(),
  ]);
  await expect(window.getByLabel("Your number")).toBeVisible();
  await window.close();
  await expect(dialog(page).getByRole("alert")).toHaveText(/closed before the number was verified/);
});
