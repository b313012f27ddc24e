import { randomBytes, randomUUID } from "node:crypto";
import {
  type APIRequestContext,
  type BrowserContext,
  type FrameLocator,
  type Locator,
  type Page,
  expect,
} from "@playwright/test";
import type { Balance, LoginView, Round, RoundPage, TransferPage } from "../src/lib/api/types";
import { type Challenge, solve } from "../src/lib/human/solve";
import { sealBody } from "../src/lib/seal/seal";
import { shownName } from "../src/lib/shown-name";
import { siteUrl } from "./site";

type Answer = Awaited<ReturnType<APIRequestContext["get"]>>;

/** The site's answer without its envelope. */
export async function valueOf<T>(answer: Answer): Promise<T> {
  const body = (await answer.json()) as { success: boolean; value: T; code?: string };
  expect(body.success, `${answer.url()} answers ${answer.status()} ${body.code ?? ""}`).toBe(true);
  return body.value;
}

export const password = "pancit-sa-gabi-42";

/** A username that no other test has. */
export function newName(): string {
  return `t${randomBytes(6).toString("hex")}`;
}

/** A member of the site, spoken to through the API. The browser's context keeps the device cookie. */
export class Player {
  constructor(
    readonly name: string,
    readonly token: string,
    private readonly request: APIRequestContext,
  ) {}

  /** The name as it is on the screen. */
  get shownName(): string {
    return shownName(this.name);
  }

  private get headers() {
    return { Authorization: `Bearer ${this.token}` };
  }

  async balance(): Promise<Balance> {
    return valueOf(await this.request.get("/wps/v2/wallets/balance", { headers: this.headers }));
  }

  async rounds(): Promise<Round[]> {
    const answer = await this.request.get("/lgw/play/rounds?limit=20", { headers: this.headers });
    return (await valueOf<RoundPage>(answer)).content;
  }

  /** Begins a round of a game. */
  async play(gameCode: string, stake: string, choice: object = {}): Promise<Round> {
    const answer = await this.request.post(`/lgw/play/${gameCode}`, {
      headers: { ...this.headers, "Idempotency-Key": randomUUID() },
      data: { stake, choice },
    });
    return valueOf(answer);
  }

  /** Does the next step of an open round. */
  async act({ id, actions }: Round, action: unknown): Promise<Round> {
    const answer = await this.request.post(`/lgw/play/rounds/${id}/actions`, {
      headers: this.headers,
      data: { step: actions.length, action },
    });
    return valueOf(answer);
  }

  rollDice(stake: string, target: number): Promise<Round> {
    return this.play("dice", stake, { target, direction: "under" });
  }

  /** The member's transfers, oldest first. */
  async transfers(): Promise<TransferPage> {
    const answer = await this.request.get("/wps/v2/wallets/transfers?limit=100&after=0", {
      headers: this.headers,
    });
    return valueOf(answer);
  }

  /** Rolls until a round wins. */
  async win(stake = "10"): Promise<Round> {
    for (;;) {
      const round = await this.rollDice(stake, 9800);
      if (round.payout !== "0") return round;
    }
  }

  /** Ends the session, as elsewhere. */
  async leave(): Promise<void> {
    await valueOf(await this.request.delete("/wps/session/logout", { headers: this.headers }));
  }

  async rotateSeed(clientSeed: string): Promise<void> {
    const data = { clientSeed };
    await valueOf(
      await this.request.post("/lgw/fair/seed/rotate", { headers: this.headers, data }),
    );
  }
}

/** Makes a call whose body travels sealed. `host` names another site on the same machine. */
export async function sealedCall(
  request: APIRequestContext,
  [method, path]: readonly [method: string, path: string],
  body: object,
  host?: string,
): Promise<Answer> {
  const headers = { "Content-Type": "application/sealed+json", ...(host && { Host: host }) };
  const key = await valueOf<{ kid: string; publicKey: string; now: number }>(
    await request.get("/wps/system/key", { headers }),
  );
  const data = JSON.stringify(await sealBody(key, method, path, body, key.now));
  return request.fetch(path, { method, headers, data });
}

/** The work that the server asks of a browser, done here; nothing where it asks for none. */
export async function proofOfWork(request: APIRequestContext): Promise<string | undefined> {
  const answer = await request.get("/wps/captcha/challenge");
  if (answer.status() === 404) return undefined;
  const challenge = await valueOf<Challenge>(answer);
  const solution = await solve(challenge);
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}

/** Registers a member through the API, in the context of a page. It may tell more than everybody must. */
export async function newPlayer(page: Page, more: { email?: string } = {}): Promise<Player> {
  const { request } = page.context();
  const username = newName();
  const form = { username, ...usualForm, ...more, human: await proofOfWork(request) };
  return registered(request, username, ["PUT", "/wps/member/register"], form);
}

/** What every registration says. */
export const usualForm = {
  password,
  confirmPassword: password,
  birthday: "1990-05-17",
  ofAge: true,
  adult: true,
  terms: true,
  login: true,
  registerMethod: "WEB",
};

/** The member of a registration that the site takes. */
export async function registered(
  request: APIRequestContext,
  name: string,
  call: readonly [method: string, path: string],
  form: object,
): Promise<Player> {
  const view = await valueOf<LoginView>(await sealedCall(request, call, form));
  expect(view.token, "a new member is logged in").toBeTruthy();
  return new Player(name, view.token ?? "", request);
}

/** The member who is logged in on a page. */
export async function playerOf(page: Page, name: string): Promise<Player> {
  const token = await page.evaluate(() => sessionStorage.getItem("token"));
  expect(token, "a token is kept").not.toBeNull();
  return new Player(name, token ?? "", page.context().request);
}

/** Opens a page of the site as this member. */
export async function openAs(page: Page, player: Player, path: string): Promise<void> {
  if (page.url() === "about:blank") await page.goto("/healthz");
  await page.evaluate((token) => sessionStorage.setItem("token", token), player.token);
  await page.goto(path);
  await expect(accountButton(page)).toBeVisible();
}

type Onlooker = {
  name: string;
  token: string;
  cookies: Parameters<BrowserContext["addCookies"]>[0];
};
let onlooker: Onlooker | undefined;

/** The other half of the session, as another browser takes it over. */
async function cookiesOf(context: BrowserContext): Promise<Onlooker["cookies"]> {
  const cookies = await context.cookies();
  return cookies.map(({ name, value, secure, httpOnly, sameSite }) => {
    // The browser calls the loopback secure, but lets such a cookie be set for TLS only.
    const url = secure ? siteUrl.replace("http:", "https:") : siteUrl;
    return { name, value, secure, httpOnly, sameSite, url };
  });
}

/** Opens a page of the site as a member who only looks: one for all tests of a process. */
export async function openAsOnlooker(page: Page, path: string): Promise<void> {
  const context = page.context();
  if (onlooker) await context.addCookies(onlooker.cookies);
  else {
    const { name, token } = await newPlayer(page);
    onlooker = { name, token, cookies: await cookiesOf(context) };
  }
  await openAs(page, new Player(onlooker.name, onlooker.token, context.request), path);
}

/** Once the page that is opened next hears of what changes. */
export function hearsNews(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        if (payload.includes('"ready"')) resolve();
      }),
    );
  });
}

/** Logs in, in any language, as a member that every new installation has. */
export async function logInAsMaria(page: Page): Promise<void> {
  await page.goto("/login");
  await page.locator("dialog input[name=username]").fill("maria");
  await page.locator("dialog input[name=password]").fill("maria-sees-through");
  await page.locator("dialog form [type=submit]").click();
  await expect(accountButton(page)).toBeVisible();
}

/** The member's name in the header, in any language. */
export function accountButton(page: Page): Locator {
  return page.locator("[popovertarget=account-menu]");
}

/** What is inside the sandboxed game. */
export function gameOf(page: Page): FrameLocator {
  return page.frameLocator("iframe");
}

/** Waits until the game can be played. */
export async function gameReady(page: Page): Promise<void> {
  await expect(page.locator("iframe")).toHaveCSS("opacity", "1");
  await expect(gameOf(page).locator(".plays .play")).toHaveAttribute("aria-disabled", "false");
}

/** Presses the main button and waits until the round is in the list below the game. */
export async function rollInFrame(page: Page): Promise<void> {
  const rows = page.locator("tbody tr");
  const before = await rows.count();
  await gameOf(page).locator(".plays .play").click();
  await expect(rows).toHaveCount(before + 1);
}
