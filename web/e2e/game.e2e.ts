import { expect, test } from "./test";
import { accountButton, gameOf, gameReady, newPlayer, openAs, rollInFrame } from "./player";

test("a visitor plays for free, with a demo mark and play money", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Try it free" }).click();
  await expect(page).toHaveURL("/play/dice");
  await gameReady(page);
  await expect(page.getByRole("banner").getByText("Demo", { exact: true })).toBeVisible();
  await expect(gameOf(page).locator(".balance")).toContainText("10,000.00 FUN");
  await rollInFrame(page);
  await expect(gameOf(page).locator(".balance")).not.toContainText("10,000.00 FUN");
  await expect(page.locator("tbody tr").first()).toContainText("FUN");
  await page.goto("/");
  await expect(page.getByTitle("Refresh the balance")).toContainText("FUN");
  await accountButton(page).click();
  await page.locator("#account-menu").getByRole("button", { name: "Join" }).click();
  await expect(page.getByRole("dialog", { name: "Join the house" })).toBeVisible();
});

test("a stake that cannot be is explained and not sent", async ({ page }) => {
  const player = await newPlayer(page);
  await openAs(page, player, "/play/dice");
  await gameReady(page);
  const game = gameOf(page);
  const stake = game.getByLabel("Stake", { exact: true });
  for (const [typed, words] of [
    ["0.5", /lowest stake is ₱1\.00/],
    ["1000.01", /Your balance is ₱1,000\.00/],
    ["2.345", /two decimals/],
    ["ten", /Enter an amount/],
  ] as const) {
    await stake.fill(typed);
    await expect(stake).toHaveAccessibleDescription(words);
    await game.locator(".plays .play").focus();
    await page.keyboard.press("Enter");
    await expect(stake).toBeFocused();
  }
  expect(await player.rounds()).toEqual([]);
});

test("the keyboard alone plays", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/play/dice");
  await gameReady(page);
  const slider = gameOf(page).getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect(gameOf(page).getByLabel("Target", { exact: true })).toHaveValue("51.00");
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(gameOf(page).getByLabel("Target", { exact: true })).toHaveValue("50.99");
  await gameOf(page).locator(".plays .play").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("tbody tr")).toHaveCount(1);
});

test("the frame is a sandbox: no cookies, no storage, no network", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/play/dice");
  await gameReady(page);
  await expect(page.locator("iframe")).toHaveAttribute("sandbox", "allow-scripts");
  const frame = page.frames().find((one) => one.url().includes("/game/dice"));
  const found = await frame?.evaluate(async () => {
    const attempt = (read: () => unknown) => {
      try {
        return `read ${JSON.stringify(read())}`;
      } catch (error) {
        return (error as Error).name;
      }
    };
    const broken = new Promise<string>((resolve) => {
      addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
    });
    const answer = await fetch("/wps/system/status").then(
      () => "answered",
      () => "blocked",
    );
    return {
      origin: self.origin,
      cookie: attempt(() => document.cookie),
      local: attempt(() => localStorage.length),
      session: attempt(() => sessionStorage.length),
      parent: attempt(() => parent.document.title),
      answer,
      broken: await broken,
    };
  });
  expect(found).toEqual({
    origin: "null",
    cookie: "SecurityError",
    local: "SecurityError",
    session: "SecurityError",
    parent: "SecurityError",
    answer: "blocked",
    broken: "connect-src",
  });
});

test("the frame never sees the token", async ({ page }) => {
  await page.addInitScript(() => {
    if (!location.pathname.startsWith("/game/")) return;
    const seen: unknown[] = [];
    Object.assign(globalThis, { seen });
    addEventListener("message", ({ data }) => seen.push(data));
    const plain = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
    Object.defineProperty(MessagePort.prototype, "onmessage", {
      set(this: MessagePort, take: (event: MessageEvent) => void) {
        plain?.set?.call(this, (event: MessageEvent) => {
          seen.push(event.data);
          take.call(this, event);
        });
      },
    });
  });
  const player = await newPlayer(page);
  await openAs(page, player, "/play/dice");
  await gameReady(page);
  await rollInFrame(page);
  const frame = page.frames().find((one) => one.url().includes("/game/dice"));
  const seen = await frame?.evaluate(() =>
    JSON.stringify([Reflect.get(globalThis, "seen"), location.href, document.referrer, name]),
  );
  expect(seen).toContain('"type":"init"');
  expect(seen).toContain('"type":"book"');
  expect(seen).not.toContain(player.token);
});
