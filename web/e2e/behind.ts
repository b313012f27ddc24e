import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Page, test as base, expect } from "./test";
import postgres from "postgres";
import { type Player, proofOfWork, registered, usualForm, valueOf } from "./player";
import { given, ownPort } from "./site";

/** What stands behind the site under test; none where the site is somebody else's. */
type Behind = { data: string; binary: string };

const note = join(import.meta.dirname, `../../var/e2e-${ownPort}.json`);

function behind(): Behind {
  return JSON.parse(readFileSync(note, "utf8")) as Behind;
}

let nextAddress = 0;

/** An address that no other test comes from: what is done wrong at one costs the others nothing. */
export function newAddress(): string {
  nextAddress += 1;
  const { pid } = process;
  return `10.${(pid >> 8) & 255}.${pid & 255}.${nextAddress & 255}`;
}

/** Tests that look behind the site. Each comes from an address of its own, as through a proxy that the server trusts. */
/* oxlint-disable no-empty-pattern -- the runner reads there which fixtures are wanted: none */
export const test = base.extend<{ isOurs: void }>({
  extraHTTPHeaders: async ({}, use) => use({ "X-Forwarded-For": newAddress() }),
  isOurs: [
    async ({}, use, testInfo) => {
      testInfo.skip(given !== undefined, "looks behind the site: needs the server's own data");
      await use();
    },
    { auto: true },
  ],
});
/* oxlint-enable no-empty-pattern */

const run = promisify(execFile);

/** What a message to a number or an address said, newest last, read with the operator's own command. */
async function messagesTo(to: string): Promise<string[]> {
  const { data, binary } = behind();
  const { stdout } = await run(binary, ["outbox", "200"], {
    env: { ...process.env, CAPIZ_DATA: data },
    cwd: join(import.meta.dirname, "../.."),
  });
  const messages = stdout.split(/^(?=\d{4}-\d\d-\d\d )/m);
  return messages.filter((message) => message.split("\n", 1)[0]?.endsWith(` to ${to}`));
}

/** What the newest of the messages says that say such a thing, once so many of them have come. */
async function findIn(to: string, what: RegExp, count: number): Promise<string> {
  let newest: string | undefined;
  await expect(async () => {
    // Others only tell that something was changed.
    const found = (await messagesTo(to)).flatMap((message) => what.exec(message)?.[0] ?? []);
    expect(found.length, `messages to ${to}`).toBeGreaterThanOrEqual(count);
    newest = found.at(-1);
  }).toPass();
  return newest ?? "";
}

/** The code of the newest message with one, once so many have come. */
export function codeTo(to: string, count = 1): Promise<string> {
  return findIn(to, /\b\d{6}\b(?= )/, count);
}

/** The link in the newest mail. */
export function linkTo(email: string, count = 1): Promise<string> {
  return findIn(email, /https?:\/\/\S+/, count);
}

type NewNumber = { typed: string; e164: string };

/** A mobile number of the Philippines that no other test has: as people write it, and as messages are sent to it. */
export function newNumber(): NewNumber {
  const digits = String(Number.parseInt(randomUUID().slice(0, 8), 16) % 10_000_000).padStart(
    7,
    "0",
  );
  return { typed: `917${digits}`, e164: `+63917${digits}` };
}

/** Registers a member by its mobile number through the API, in the context of a page. */
export async function newPlayerByNumber(page: Page, number: NewNumber): Promise<Player> {
  const { request } = page.context();
  const mobile = { mobileNo: number.typed, countryDialingCode: "63" };
  const send = { ...mobile, human: await proofOfWork(request) };
  await valueOf(await request.post("/wps/verification/sms/register", { data: send }));
  const form = {
    ...usualForm,
    mobileNum: number.typed,
    countryDialingCode: "63",
    verificationCode: await codeTo(number.e164),
    human: await proofOfWork(request),
  };
  return registered(request, number.e164, ["PUT", "/wps/member/register/mobile"], form);
}

/** Lets the time pass after which a number may be sent another code. */
export async function waitIsOver(): Promise<void> {
  await inDatabase(
    (sql) => sql`
      update sessions_sends
      set sent_at = array(select at - interval '1 hour' from unnest(sent_at) with ordinality as u (at, n) order by n)`,
  );
}

/** The socket of the server's private database. */
function socketOf(data: string): string {
  const [, , , port, directory] = readFileSync(
    join(data, "postgres/data/postmaster.pid"),
    "utf8",
  ).split("\n");
  return `${directory}/.s.PGSQL.${port}`;
}

/** Speaks to the database, as an operator does for what no command and no page is there for yet. */
export async function inDatabase<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres({
    path: socketOf(behind().data),
    username: "capiz",
    database: "postgres",
    max: 1,
  });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Asks a member for a new password, as staff do. */
export async function askForNewPassword(name: string): Promise<void> {
  await inDatabase(
    (sql) => sql`
      update members_passwords set must_change = true
      where member_id = (select member_id from members_names where name = ${name})`,
  );
}

/** Opens another site in the same installation, like the first one but for some switches; gives its address. */
export async function newSite(page: Page, switches: Record<string, boolean>): Promise<string> {
  const code = `t${randomUUID().slice(0, 8)}`;
  const host = `${code}.localhost`;
  await inDatabase((sql) =>
    sql.begin(async (sql) => {
      const [first] = await sql`select * from site_merchants where code = 'capiz'`;
      const id = randomUUID();
      // It is younger than the first, which stays the one that the office opens with.
      const own = { id, code, main_domain: host, created_at: new Date() };
      await sql`insert into site_merchants ${sql({ ...first, ...own })}`;
      await sql`insert into site_hosts (host, merchant_id, shared) values (${host}, ${id}, false)`;
      await sql`
        insert into site_switches (merchant_id, mod_id, enabled)
        select ${id}, mod_id, enabled from site_switches
        where merchant_id = ${first?.["id"]}`;
      await sql`
        insert into site_register_rules
        select ${id}, field, enabled, required, min_length, max_length, pattern_id
        from site_register_rules where merchant_id = ${first?.["id"]}`;
      await sql`
        insert into site_policies (merchant_id, country, minimum_age, password_days, dialing_code)
        select ${id}, country, minimum_age, password_days, dialing_code
        from site_policies where merchant_id = ${first?.["id"]}`;
      for (const [name, enabled] of Object.entries(switches)) {
        await sql`update site_switches set enabled = ${enabled} where merchant_id = ${id} and mod_id = ${name}`;
      }
    }),
  );
  const address = `http://${host}:${ownPort}`;
  // A node looks at the table of hosts once a second.
  await expect(async () => {
    const answer = await page.goto(`${address}/wps/system/status`);
    expect(answer?.status()).toBe(200);
  }).toPass();
  return address;
}

/** Has a site ask whoever registers for a field that others leave out. */
export async function requireField(page: Page, site: string, field: string): Promise<void> {
  const { hostname } = new URL(site);
  await inDatabase(
    (sql) => sql`
      update site_register_rules set enabled = true, required = true
      where field = ${field}
        and merchant_id = (select merchant_id from site_hosts where host = ${hostname})`,
  );
  await expect(async () => {
    const rules = await page.goto(`${site}/wps/system/setting/register`);
    expect(await rules?.text()).toContain(`"${field}":{"enabled":true,"required":true`);
  }).toPass();
}
