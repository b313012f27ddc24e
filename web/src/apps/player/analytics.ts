const counter = "https://www.googletagmanager.com/gtag/js";

type Layer = { dataLayer?: unknown[] };
type Policies = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string };
};

/** A script's address in the form that the page's policy asks for, in browsers that know such policies. */
function trusted(address: string): string {
  const policies = Reflect.get(globalThis, "trustedTypes") as Policies | undefined;
  const rules = { createScriptURL: (url: string) => url };
  return policies
    ? policies.createPolicy("capiz-analytics", rules).createScriptURL(address)
    : address;
}

/** Counts visits for the merchant, who has an id at the service for that. Addresses of visitors are cut short there. */
export function countVisits(id: string): void {
  const layer = globalThis as Layer;
  const queue = (layer.dataLayer ??= []);
  // The service reads the arguments object itself, not a list of its values.
  function tell(..._said: unknown[]): void {
    // oxlint-disable-next-line prefer-rest-params -- see above
    queue.push(arguments);
  }
  tell("js", new Date());
  tell("config", id, { anonymize_ip: true });
  const script = document.createElement("script");
  script.async = true;
  script.src = trusted(`${counter}?${new URLSearchParams({ id })}`);
  document.head.append(script);
}
