/** Where the site under test is: a server that runs already, or the one that the tests start. */
export const ownPort = 18080;
export const given = process.env["CAPIZ_URL"] || undefined;
export const siteUrl = given ?? `http://127.0.0.1:${ownPort}`;

/** The office listens one port above the site, unless it is given. */
export const officeUrl = process.env["CAPIZ_OFFICE_URL"] ?? nextPort(siteUrl);

function nextPort(url: string): string {
  const office = new URL(url);
  office.port = String(Number(office.port) + 1);
  return office.origin;
}
