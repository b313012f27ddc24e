import { type Page, expect, onPhones, test } from "./test";
import { newSite, test as onOwnServer, requireField } from "./behind";
import { answerOf } from "./captcha";
import { fillRegistration } from "./forms";
import { accountButton, newName, newPlayer, proofOfWork, registered, usualForm } from "./player";

const form = (page: Page) => page.getByRole("dialog", { name: "Join the house" });
const field = (page: Page, label: string) => form(page).getByLabel(label, { exact: true });

async function submit(page: Page): Promise<void> {
  await form(page).getByRole("button", { name: "Create the account" }).click();
}

const fillIn = (page: Page, username: string) => fillRegistration(form(page), username);

test("every error belongs to its field", onPhones, async ({ page }) => {
  await page.goto("/register");
  await submit(page);
  for (const label of ["Username", "Password", "Confirm the password", "Birthday"]) {
    await expect(field(page, label)).toHaveAttribute("aria-required", "true");
    await expect(field(page, label)).toHaveAttribute("aria-invalid", "true");
    await expect(field(page, label)).toHaveAccessibleDescription(/cannot be empty/);
  }
  await expect(form(page).getByLabel("I am 18")).toHaveAccessibleDescription(/18 or older/);
  await expect(form(page).getByLabel("I agree")).toHaveAccessibleDescription(/agree to the terms/);
  await expect(field(page, "Username")).toBeFocused();
});

test("each rule has words of its own", async ({ page }) => {
  await page.goto("/register");
  await fillIn(page, "1abc");
  await field(page, "Confirm the password").fill("something else");
  await submit(page);
  await expect(field(page, "Username")).toHaveAccessibleDescription(/starting with a letter/);
  await expect(field(page, "Confirm the password")).toHaveAccessibleDescription(/confirmation/);
  await field(page, "Username").fill("ab");
  await expect(field(page, "Username")).toHaveAccessibleDescription(/4 to \d+ characters/);
  await field(page, "Password").fill("short   ");
  await expect(field(page, "Password")).toHaveAccessibleDescription(/8 to \d+ characters/);
  await field(page, "Birthday").fill("2015-01-01");
  await expect(field(page, "Birthday")).toHaveAccessibleDescription(/21 years old or older/);
  await field(page, "Birthday").fill("1990-05-17");
  await form(page).getByLabel("Please confirm you are 21").uncheck();
  await submit(page);
  await expect(form(page).getByLabel("Please confirm you are 21")).toHaveAttribute(
    "aria-invalid",
    "true",
  );
});

test("reset clears the form and its errors", onPhones, async ({ page }) => {
  await page.goto("/register");
  await fillIn(page, "1abc");
  await submit(page);
  await expect(field(page, "Username")).toHaveAttribute("aria-invalid", "true");
  await form(page).getByRole("button", { name: "Reset" }).click();
  await expect(form(page).locator("[aria-invalid]")).toHaveCount(0);
  for (const label of ["Username", "Password", "Confirm the password", "Birthday"]) {
    await expect(field(page, label)).toHaveValue("");
  }
  await expect(form(page).getByLabel("I am 18")).not.toBeChecked();
});

test("a taken name is said at the field, whatever its case", onPhones, async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/register");
  await fillIn(page, name.toUpperCase());
  await submit(page);
  await expect(field(page, "Username")).toHaveAccessibleDescription(/is taken/);
  await expect(field(page, "Username")).toBeFocused();
});

test("an e-mail address that is somebody's is told in words of its own", async ({ page }) => {
  const email = `${newName()}@mail.example`;
  const { request } = page.context();
  const username = newName();
  const given = { username, ...usualForm, email, human: await proofOfWork(request) };
  await registered(request, username, ["PUT", "/wps/member/register"], given);
  await page.goto("/register");
  await fillIn(page, newName());
  await field(page, "E-mail").fill(email);
  await submit(page);
  await expect(field(page, "E-mail")).toHaveAccessibleDescription(/address is registered already/);
  await expect(field(page, "E-mail")).toBeFocused();
});

test("the form opens at its top on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/register");
  await expect(field(page, "Username")).toBeFocused();
  expect(await page.getByRole("dialog").evaluate(({ scrollTop }) => scrollTop)).toBe(0);
});

test("a long form can be closed from its end", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto("/register");
  await expect(field(page, "Username")).toBeFocused();
  const dialog = page.getByRole("dialog");
  await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const close = dialog.getByRole("button", { name: "Close" });
  await expect(close).toBeInViewport({ ratio: 1 });
  await close.click();
  await expect(dialog).toHaveCount(0);
});

test("what is scrolled goes below the whole line of the button that closes", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto("/register");
  await expect(field(page, "Username")).toBeFocused();
  const crossed = await page.getByRole("dialog").evaluate(async (dialog) => {
    const close = dialog.querySelector("[aria-label=Close]");
    const found: string[] = [];
    for (let top = 0; top < dialog.scrollHeight - dialog.clientHeight; top += 20) {
      dialog.scrollTo(0, top);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const { left, top: from, bottom } = close?.getBoundingClientRect() ?? new DOMRect();
      for (const y of [from, (from + bottom) / 2, bottom - 1]) {
        const beside = document.elementFromPoint(left - 4, y);
        if (beside?.closest("label, input, button")) found.push(`${top}: ${beside.outerHTML}`);
      }
    }
    return found;
  });
  expect(crossed).toEqual([]);
});

onOwnServer(
  "a friend's code that a site insists on can be typed by who has no link",
  async ({ page }) => {
    const site = await newSite(page, {});
    await requireField(page, site, "referralCode");
    await page.goto(`${site}/register?referralCode=FRIEND12`);
    await expect(field(page, "Username")).toBeVisible();
    await expect(form(page).getByLabel("Code from a friend's link")).toHaveCount(0);
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${site}/register`);
    await fillIn(page, newName());
    await submit(page);
    await expect(form(page).getByLabel("Code from a friend's link")).toHaveAccessibleDescription(
      /cannot be empty/,
    );
    await form(page).getByLabel("Code from a friend's link").fill("FRIEND12");
    await submit(page);
    await expect(accountButton(page)).toBeVisible();
  },
);

onOwnServer("a friend's code that cannot be one keeps nobody out", async ({ page }) => {
  const site = await newSite(page, {});
  const name = newName();
  const cutOff = "referralCode=%3C3";
  await page.goto(`${site}/register?${cutOff}`);
  await fillIn(page, name);
  await submit(page);
  await expect(accountButton(page)).toContainText(name);

  const strict = await newSite(page, {});
  await requireField(page, strict, "referralCode");
  await page.goto(`${strict}/register?${cutOff}`);
  await expect(form(page).getByLabel("Code from a friend's link")).toHaveValue("");
});

onOwnServer(
  "a captcha is answered in words by who cannot see the picture",
  onPhones,
  async ({ page }) => {
    const site = await newSite(page, {});
    await requireField(page, site, "captcha");
    const name = newName();
    await page.goto(`${site}/register`);
    await fillIn(page, name);
    await expect(form(page).getByRole("img", { name: /five characters/ })).toBeVisible();
    await submit(page);
    await expect(form(page).getByLabel("Characters in the picture")).toHaveAccessibleDescription(
      /cannot be empty/,
    );
    const characters = form(page).getByLabel("Characters in the picture");
    await characters.fill("wrong");
    await submit(page);
    await expect(characters).toHaveAccessibleDescription(/Invalid captcha input/);
    await expect(characters).toHaveAttribute("aria-invalid", "true");
    await expect(characters).toBeFocused();
    await expect(characters).toHaveValue("");
    await expect(form(page).getByRole("alert")).toHaveCount(0);
    await form(page).getByRole("button", { name: "I cannot see the picture" }).click();
    const question = form(page).getByText(/^Which of these words are/);
    await expect(question).toBeVisible();
    const answer = answerOf((await question.textContent()) ?? "");
    await form(page).getByLabel("Your answer").fill(answer);
    await submit(page);
    await expect(accountButton(page)).toContainText(name);
  },
);
