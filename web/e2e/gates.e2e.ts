import { expect, onPhones } from "./test";
import { inDatabase, newSite, test } from "./behind";
import { answerOf } from "./captcha";
import { dialog, fillRegistration, leave, logIn, setUpTwoFactor } from "./forms";
import {
  type Player,
  accountButton,
  newName,
  newPlayer,
  openAs,
  password,
  sealedCall,
} from "./player";

test("after wrong passwords the right one needs a right captcha", onPhones, async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/login");
  const form = dialog(page);
  const submit = form.getByRole("button", { name: "Log in", exact: true });
  const picture = form.getByRole("img", { name: /five characters/ });
  const username = form.getByLabel("Username", { exact: true });
  const remember = form.getByRole("checkbox");
  await username.fill(name);
  await remember.check();
  for (const wrong of ["not-this-one", "nor-this-one"]) {
    await form.getByLabel("Password", { exact: true }).fill(wrong);
    const answered = page.waitForResponse("**/wps/session/login");
    await submit.click();
    await answered;
    await expect(form.getByRole("alert")).toBeVisible();
    await expect(form.locator("[aria-busy=true]")).toHaveCount(0);
  }
  await expect(picture).toBeVisible();
  // The form with the captcha is a new one: it has what was typed, and the focus where something is missing.
  await expect(form.getByLabel("Characters in the picture")).toBeFocused();
  await expect(username).toHaveValue(name);
  await expect(remember).toBeChecked();
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByLabel("Characters in the picture").fill("wrong");
  await submit.click();
  await expect(form.getByLabel("Characters in the picture")).toHaveValue("");
  await expect(form.getByText("Invalid captcha input.")).toBeVisible();
  await form.getByRole("button", { name: "I cannot see the picture" }).click();
  const question = form.getByText(/^Which of these words are/);
  await expect(question).toBeVisible();
  await form.getByLabel("Your answer").fill(answerOf((await question.textContent()) ?? ""));
  // The work is too little for a name that was tried so often; the page does more of it by itself.
  const codes: unknown[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith("/wps/session/login")) return;
    codes.push(((await response.json()) as { code?: string }).code);
  });
  await submit.click();
  await expect(accountButton(page)).toContainText(name);
  expect(codes[0]).toBe("session.human_check");
});

test("an agent comes in by the agents' door and stays behind it", onPhones, async ({ page }) => {
  const { name } = await newPlayer(page);
  await inDatabase(
    (sql) => sql`
      update members_profiles set kind = 42
      where member_id = (select member_id from members_names where name = ${name})`,
  );
  await page.goto("/agentHome");
  const main = page.getByRole("main");
  await main.getByLabel("Username", { exact: true }).fill(name);
  await main.getByLabel("Password", { exact: true }).fill(password);
  await main.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(name);
  await expect(page).toHaveURL("/agentHome");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Agent center");
});

/** Gives a member the password that accounts from elsewhere begin with. */
async function importPassword({ name }: Player): Promise<void> {
  // `123456` under argon2id, without our pepper.
  const hash =
    "$argon2id$v=19$m=19456,t=2,p=1$LhgQGlqUd3KzkkQ4BsgNuQ$9x2r9kVPss9lEKzywahLET8XAW5grx9GxfQEn83uBo0";
  await inDatabase(
    (sql) => sql`
      update members_passwords set hash = ${hash}, peppered = false, imported = true
      where member_id = (select member_id from members_names where name = ${name})`,
  );
}

test(
  "the first password of an imported account must be changed before anything else",
  onPhones,
  async ({ page }) => {
    const player = await newPlayer(page);
    await importPassword(player);
    await logIn(page, player.name, "123456");
    const change = page.getByRole("dialog", { name: "Change the password" });
    await expect(change).toContainText("Your password must be changed before you go on.");
    await expect(change.getByLabel("Current password")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page.getByText("You are logged out.")).toBeVisible();
    await expect(accountButton(page)).toHaveCount(0);

    await logIn(page, player.name, "123456");
    await change.getByLabel("New password").fill("bagong-salita-sa-umaga-7");
    await change.getByLabel("Confirm the password").fill("bagong-salita-sa-umaga-7");
    await change.getByRole("button", { name: "Change it" }).click();
    await expect(page.getByText("Your password is changed.")).toBeVisible();
    await expect(accountButton(page)).toContainText(player.name);
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await leave(page);
    await logIn(page, player.name, "bagong-salita-sa-umaga-7");
    await expect(accountButton(page)).toContainText(player.name);
  },
);

for (const isReloaded of [false, true]) {
  const asks = isReloaded ? "asks for the current one after a reload" : "holds the current one";
  test(`a password that must be changed after the second step ${asks}`, async ({ page }) => {
    const player = await newPlayer(page);
    await openAs(page, player, "/securityCenter");
    const nextCode = await setUpTwoFactor(page);
    await importPassword(player);
    await leave(page);
    await logIn(page, player.name, "123456");
    await expect(page).toHaveURL("/login/verify");
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(kept).not.toContain("123456");
    if (isReloaded) await page.reload();
    await page.getByLabel("Code of the app").fill(nextCode());
    await page.getByRole("button", { name: "Go on" }).click();
    const change = page.getByRole("dialog", { name: "Change the password" });
    await expect(change).toContainText("Your password must be changed before you go on.");
    await expect(change.getByLabel("Current password")).toHaveCount(isReloaded ? 1 : 0);
    if (isReloaded) await change.getByLabel("Current password").fill("123456");
    await change.getByLabel("New password").fill("bagong-salita-sa-umaga-7");
    await change.getByLabel("Confirm the password").fill("bagong-salita-sa-umaga-7");
    await change.getByRole("button", { name: "Change it" }).click();
    await expect(page.getByText("Your password is changed.")).toBeVisible();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(accountButton(page)).toContainText(player.name);
  });
}

test(
  "a wrong invitation code stops the registration, an agent's lets it pass",
  onPhones,
  async ({ page }) => {
    const agent = await newPlayer(page);
    const code = await inDatabase(async (sql) => {
      const [member] = await sql`select member_id from members_names where name = ${agent.name}`;
      await sql`update members_profiles set kind = 1 where member_id = ${member?.["member_id"]}`;
      const [row] = await sql`
      select code from members_codes where member_id = ${member?.["member_id"]}`;
      return String(row?.["code"]);
    });
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    const name = newName();
    await page.goto("/register");
    const form = page.getByRole("dialog", { name: "Join the house" });
    await fillRegistration(form, name);
    await form.getByLabel("Invitation code").fill("NOSUCHCODE");
    await form.getByRole("button", { name: "Create the account" }).click();
    const warning = page.getByRole("dialog", { name: "Please note" });
    await expect(warning).toContainText("Invalid invitation code.");
    expect(sent.filter((call) => call.startsWith("PUT"))).toEqual([]);
    await warning.getByRole("button", { name: "OK" }).click();
    await form.getByLabel("Invitation code").fill(code);
    await form.getByRole("button", { name: "Create the account" }).click();
    await expect(accountButton(page)).toContainText(name);
  },
);

test("a wrong code of the link is told, and registering goes on without it", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
  const name = newName();
  await page.goto("/register?affiliateCode=NOSUCHCODE");
  const form = page.getByRole("dialog", { name: "Join the house" });
  await fillRegistration(form, name);
  await expect(form.getByLabel("Invitation code")).toHaveCount(0);
  await form.getByRole("button", { name: "Create the account" }).click();
  const warning = page.getByRole("dialog", { name: "Please note" });
  await expect(warning).toContainText("Invalid invitation code.");
  expect(sent.filter((call) => call.startsWith("PUT"))).toEqual([]);
  await warning.getByRole("button", { name: "OK" }).click();
  await expect(form.getByLabel("Invitation code")).toHaveValue("");
  await expect(form.getByLabel("Username", { exact: true })).toHaveValue(name);
  expect(await page.evaluate(() => sessionStorage.getItem("affiliateCode"))).toBeNull();
  await form.getByRole("button", { name: "Create the account" }).click();
  await expect(accountButton(page)).toContainText(name);
});

test("two wrong passwords in the header are told in a dialog, and then comes the captcha", async ({
  page,
}) => {
  const { name } = await newPlayer(page);
  await page.goto("/");
  const banner = page.getByRole("banner");
  const warning = page.getByRole("dialog", { name: "Please note" });
  await banner.getByLabel("Your username").fill(name);
  for (const wrong of ["not-this-one", "nor-this-one"]) {
    await banner.getByLabel("Your password").fill(wrong);
    await page.keyboard.press("Enter");
    await expect(warning).toContainText("Username or password is not correct.");
    await expect(page.getByRole("dialog")).toHaveCount(1);
    await warning.getByRole("button", { name: "OK" }).click();
    await expect(warning).toHaveCount(0);
  }
  const form = page.getByRole("dialog", { name: "Log in" });
  await expect(form.getByRole("img", { name: /five characters/ })).toBeVisible();
  await expect(form.getByLabel("Username", { exact: true })).toHaveValue(name);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "I cannot see the picture" }).click();
  const question = form.getByText(/^Which of these words are/);
  await expect(question).toBeVisible();
  await form.getByLabel("Your answer").fill(answerOf((await question.textContent()) ?? ""));
  await form.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(name);
});

test(
  "a log-out asks first, and leaves nothing but the merchant in the tab",
  onPhones,
  async ({ page }) => {
    const player = await newPlayer(page);
    await openAs(page, player, "/transactionHistory");
    await page.evaluate(() => {
      for (const name of ["affiliateCode", "copy/left"]) sessionStorage.setItem(name, "ABCD1");
    });
    await accountButton(page).click();
    await page.locator("#account-menu").getByRole("button", { name: "Log out" }).click();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await expect(accountButton(page)).toContainText(player.name);
    await leave(page);
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeFocused();
    const kept = await page.evaluate(() => Object.entries({ ...sessionStorage }));
    // The page that it leads to may have kept copies of what everybody sees.
    const isOld = ([name, text]: [string, string]) => !name.startsWith("copy/") || text === "ABCD1";
    expect(kept.filter(isOld)).toEqual([["merchant", "capiz"]]);
    expect(await page.evaluate(() => localStorage.getItem("merchant"))).toBe("capiz");
    const headers = { Authorization: `Bearer ${player.token}` };
    const answer = await page.context().request.get("/wps/member/info", { headers });
    expect(answer.status()).toBe(401);
  },
);

test(
  "a demo account has no member functions, whoever asks for them",
  onPhones,
  async ({ page }) => {
    await page.goto("/login");
    await dialog(page).getByRole("button", { name: "Play free with a demo account" }).click();
    await expect(accountButton(page)).toBeVisible();
    await page.goto("/securityCenter");
    await expect(page.getByText("Please Register An Account First")).toBeVisible();
    const refused = await page.evaluate(async () => {
      const answer = await fetch("/wps/member/info/icon", {
        method: "PUT",
        headers: {
          "Content-Type": "application/json",
          Authorization: `Bearer ${sessionStorage.getItem("token")}`,
        },
        body: JSON.stringify({ icon: "jeepney" }),
      });
      return answer.json();
    });
    expect(refused).toMatchObject({
      success: false,
      code: "session.trial",
      message: "Please Register An Account First",
    });
  },
);

const closed = {
  MOBILEVERCODELOGIN3: false,
  SOCIALOIDC3: false,
  SOCIALOAUTH3: false,
  DIRECTREG3: false,
  MOBILEFORGOTPASS3: false,
};

/** Calls of ways that are switched off, as somebody makes them who does not ask the page. */
const sealedWays = [
  ["PUT", "/wps/member/register", { username: "somebody" }],
  ["PUT", "/wps/member/register/mobile", { mobileNum: "9171234567" }],
  ["POST", "/wps/session/login/phone", { idToken: "a.b.c" }],
] as const;

test("ways that are switched off are not shown, and refused to whoever calls them", async ({
  page,
}) => {
  const site = await newSite(page, closed);
  const { host } = new URL(site);
  await page.goto(`${site}/login`);
  await expect(dialog(page).getByLabel("Username", { exact: true })).toBeVisible();
  await expect(dialog(page).getByRole("tab")).toHaveCount(0);
  await expect(dialog(page).getByRole("button", { name: /^Continue with/ })).toHaveCount(0);
  await expect(dialog(page).getByRole("button", { name: "Register now" })).toHaveCount(0);
  await dialog(page).getByRole("button", { name: "Forgot your password?" }).click();
  await expect(dialog(page).getByLabel("E-mail")).toBeVisible();
  await expect(dialog(page).getByRole("tab")).toHaveCount(0);
  await page.goto(`${site}/`);
  await expect(page.getByRole("banner").getByRole("button", { name: "Join" })).toHaveCount(0);
  await page.goto(`${site}/register`);
  await expect(dialog(page).getByRole("alert")).toContainText(/not enabled/);

  const { request } = page.context();
  const off = { success: false, code: "site.switched_off" };
  for (const [method, path, body] of sealedWays) {
    const answer = await sealedCall(request, [method, path], body, host);
    expect(await answer.json(), path).toMatchObject(off);
  }
  const code = { mobileNum: "9171234567", countryDialingCode: "63", verificationCode: "123456" };
  const bySms = await sealedCall(
    request,
    ["POST", "/wps/session/login"],
    { type: "sms", ...code },
    host,
  );
  expect(await bySms.json()).toMatchObject(off);
  const recovery = await sealedCall(
    request,
    ["POST", "/wps/member/password/verification"],
    { ...code, newPassword: password },
    host,
  );
  expect(await recovery.json()).toMatchObject(off);
  const headers = { Host: host };
  for (const purpose of ["noLogin", "register", "recovery"]) {
    const number = { [purpose === "register" ? "mobileNo" : "mobileNum"]: "9171234567" };
    const answer = await request.post(`/wps/verification/sms/${purpose}`, {
      headers,
      data: { ...number, countryDialingCode: "63" },
    });
    expect(await answer.json(), purpose).toMatchObject(off);
  }
  const providers = await request.get("/wps/session/social", { headers });
  expect(await providers.json()).toMatchObject({ success: true, value: [] });
  for (const provider of ["oidc", "oauth"]) {
    const start = await request.get(`/wps/session/social/${provider}/start`, {
      headers,
      maxRedirects: 0,
    });
    expect(start.status(), provider).toBe(403);
    expect(await start.text()).toContain("site.switched_off");
  }
});

test("a site without log-in by username has no such form, and takes no such log-in", async ({
  page,
}) => {
  const site = await newSite(page, { COMM3: false });
  await page.goto(`${site}/login`);
  await expect(dialog(page).getByRole("textbox", { name: "Mobile number" })).toBeVisible();
  await expect(dialog(page).getByLabel("Username", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("banner").getByLabel("Your username")).toHaveCount(0);
  await page.goto(`${site}/agentHome`);
  const main = page.getByRole("main");
  await expect(main.getByRole("textbox", { name: "Mobile number" })).toBeVisible();
  await expect(main.getByLabel("Username", { exact: true })).toHaveCount(0);
  await expect(main.getByRole("tab")).toHaveCount(0);
  const answer = await sealedCall(
    page.context().request,
    ["POST", "/wps/session/login"],
    { type: "username", username: "maria", password: "maria-sees-through" },
    new URL(site).host,
  );
  expect(await answer.json()).toMatchObject({ success: false, code: "site.switched_off" });
});

test("where every log-in is closed, the popup and the agents' page say so", async ({ page }) => {
  const site = await newSite(page, { COMM3: false, MOBILEVERCODELOGIN3: false });
  await page.goto(`${site}/login`);
  await expect(dialog(page).getByRole("alert")).toContainText(/not enabled/);
  await page.goto(`${site}/agentHome`);
  const main = page.getByRole("main");
  await expect(main.getByRole("alert")).toContainText(/not enabled/);
  await expect(main.getByRole("button", { name: "Log in", exact: true })).toHaveCount(0);
});
