import { type Page, expect, onPhones } from "./test";
import { codeTo, newNumber, newSite, requireField, test, waitIsOver } from "./behind";
import { dialog, fillPerson, leave } from "./forms";
import { accountButton, gameReady, newName, password, rollInFrame } from "./player";
import { widths } from "./settled";

/** Presses a provider's button and answers in its window. */
async function signIn(
  page: Page,
  provider: string,
  answer: (window: Page) => Promise<void>,
  site = "",
) {
  await page.goto(`${site}/login`);
  const [window] = await Promise.all([
    page.waitForEvent("popup"),
    dialog(page)
      .getByRole("button", { name: `Continue with ${provider}` })
      .click(),
  ]);
  await answer(window);
}

const as = (person: string) => async (window: Page) => {
  await window.getByLabel("Who are you?").fill(person);
  await window.getByRole("button", { name: "Go on" }).click();
};

// Nothing here is counted by address; and the sandboxed game may not load its scripts with headers of the test's own.
test.use({ extraHTTPHeaders: {} });

const completion = (page: Page) => page.getByRole("dialog", { name: "Complete your registration" });

/** Fills in what a first sign-in asks for. */
async function complete(page: Page): Promise<void> {
  await fillPerson(completion(page));
  await completion(page).getByRole("button", { name: "Complete it" }).click();
  await expect(page.getByText("Thank you! Everything is open to you now.")).toBeVisible();
  await expect(completion(page)).toHaveCount(0);
}

for (const [provider, size] of [
  ["Harbor", widths[1]],
  ["Fisherfolk", widths[0]],
] as const) {
  test(`${provider} lets in, asks once for what is missing, and knows who comes again`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    const person = newName();
    await signIn(page, provider, as(person));
    await expect(accountButton(page)).toBeVisible();
    await expect(completion(page).getByLabel("Birthday")).toBeFocused();
    await expect(page).toHaveURL("/");
    await completion(page).getByRole("button", { name: "Complete it" }).click();
    await expect(completion(page).getByLabel("Birthday")).toHaveAccessibleDescription(/empty/);
    await expect(completion(page).getByLabel("I am 18")).toHaveAccessibleDescription(/18 or older/);
    await completion(page).getByLabel("Birthday").fill("2015-01-01");
    await expect(completion(page).getByLabel("Birthday")).toHaveAccessibleDescription(
      /21 years old or older/,
    );
    for (const link of ["terms", "privacy policy"]) {
      await expect(completion(page).getByRole("link", { name: link })).toHaveAttribute(
        "target",
        "_blank",
      );
    }
    await complete(page);
    const name = await accountButton(page).textContent();
    await leave(page);
    // The provider knows its own visitor, and asks nothing.
    await signIn(page, provider, async () => undefined);
    await expect(accountButton(page)).toHaveText(name ?? "");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}

test(
  "without the missing parts nothing is played, and the game opens once they are there",
  onPhones,
  async ({ page }) => {
    await signIn(page, "Harbor", as(newName()));
    await expect(completion(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(completion(page)).toHaveCount(0);
    await page.goto("/play/dice");
    await expect(completion(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("alert")).toContainText("Complete your registration first.");
    await page.getByRole("button", { name: "Complete it now" }).click();
    await completion(page).getByLabel("Invitation code").fill("NOSUCHCODE");
    await fillPerson(completion(page));
    await completion(page).getByRole("button", { name: "Complete it" }).click();
    const warning = page.getByRole("dialog", { name: "Please note" });
    await expect(warning).toContainText("Invalid invitation code");
    await warning.getByRole("button", { name: "OK" }).click();
    await completion(page).getByLabel("Invitation code").fill("");
    await complete(page);
    await gameReady(page);
    await rollInFrame(page);
  },
);

test("a number that must be told is proved by a code", async ({ page }) => {
  const site = await newSite(page, {});
  await requireField(page, site, "mobileNum");
  await signIn(page, "Harbor", as(newName()), site);
  const form = completion(page);
  const number = newNumber();
  await expect(form.getByRole("textbox", { name: "Mobile number" })).toBeFocused();
  await form.getByRole("button", { name: "Complete it" }).click();
  await expect(
    form.getByRole("textbox", { name: "Verification code" }),
  ).toHaveAccessibleDescription(/code/);
  await form.getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await form.getByRole("button", { name: "Send code" }).click();
  const code = await codeTo(number.e164);
  await form
    .getByRole("textbox", { name: "Verification code" })
    .fill(code === "000000" ? "111111" : "000000");
  await fillPerson(form);
  await form.getByRole("button", { name: "Complete it" }).click();
  const codeField = form.getByRole("textbox", { name: "Verification code" });
  await expect(codeField).toHaveAttribute("aria-invalid", "true");
  await codeField.fill(code);
  await form.getByRole("button", { name: "Complete it" }).click();
  await expect(page.getByText("Thank you! Everything is open to you now.")).toBeVisible();
  await page.goto(`${site}/securityCenter`);
  await expect(page.getByText(`+639******${number.e164.slice(-3)}`)).toBeVisible();
});

test("who has no password is told so before one is asked for, and sets a first one", async ({
  page,
}) => {
  const number = newNumber();
  await signIn(page, "Harbor", as(newName()));
  await complete(page);
  await page.goto("/securityCenter");
  const safety = page.getByRole("region", { name: "Security", exact: true });
  await expect(safety.getByRole("button", { name: "Change the password" })).toHaveCount(0);
  for (const button of ["Set it up", "Set it"]) {
    await safety.getByRole("button", { name: button, exact: true }).click();
    await expect(dialog(page)).toContainText("Your account has no password yet.");
    await expect(dialog(page).locator("input")).toHaveCount(0);
    await expect(dialog(page).getByRole("button", { name: "Set a password" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }

  // There is no password to show beside a first number.
  await safety.getByRole("button", { name: "Add a mobile number" }).click();
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await expect(dialog(page).getByLabel("Your log-in password")).toHaveCount(0);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(number.e164));
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByText("Confirmed and saved.")).toBeVisible();
  await safety.getByRole("button", { name: "Change the number" }).click();
  await expect(dialog(page)).toContainText("Your account has no password yet.");

  await dialog(page).getByRole("button", { name: "Set a password" }).click();
  const forgot = page.getByRole("dialog", { name: "A new password" });
  await expect(forgot.getByRole("button", { name: "Back to the log-in" })).toHaveCount(0);
  await forgot.getByRole("tab", { name: "By mobile number" }).click();
  await forgot.getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await waitIsOver();
  await forgot.getByRole("button", { name: "Send code" }).click();
  await forgot.getByLabel("Verification code").fill(await codeTo(number.e164, 2));
  await forgot.getByLabel("New password").fill(password);
  await forgot.getByRole("button", { name: "Set the password" }).click();
  // The new password ends every session, this one too, and begins another.
  await expect(page).toHaveURL("/");
  await expect(accountButton(page)).toBeVisible();
  await expect(forgot).toHaveCount(0);
  await page.goto("/securityCenter");
  await expect(safety.getByRole("button", { name: "Change the password" })).toBeVisible();
});

test("on the agents' page a provider lets agents in only", onPhones, async ({ page }) => {
  await page.goto("/agentHome");
  const name = (page.viewportSize()?.width ?? 0) < 1280 ? "Log in" : "Other ways to log in";
  await page.getByRole("banner").getByRole("button", { name, exact: true }).click();
  const [window] = await Promise.all([
    page.waitForEvent("popup"),
    dialog(page).getByRole("button", { name: "Continue with Harbor" }).click(),
  ]);
  await as(newName())(window);
  await expect(dialog(page).getByRole("alert")).toHaveText("Non-agents cannot log in");
  await expect(accountButton(page)).toHaveCount(0);
});

test("the provider's no and a closed window are told in words", async ({ page }) => {
  await signIn(page, "Harbor", (window) => window.getByRole("button", { name: "Refuse" }).click());
  await expect(dialog(page).getByRole("alert")).toHaveText(/sign-in was cancelled/);
  await signIn(page, "Harbor", async (window) => {
    await expect(window.getByLabel("Who are you?")).toBeVisible();
    await window.close();
  });
  await expect(dialog(page).getByRole("alert")).toHaveText(/window was closed before it was done/);
  await expect(accountButton(page)).toHaveCount(0);
});
