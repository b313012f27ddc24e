// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import { type Me, meQuery } from "./api";
import { Gate } from "./gate";
import { sendProved, useProof } from "./proof/proof";

vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@tanstack/react-router", async (original) => {
  const router = { history: { location: {}, subscribe: () => () => undefined } };
  return {
    ...(await original<object>()),
    useBlocker: () => ({ status: "idle" }),
    useRouter: () => router,
    useRouterState: () => "/",
  };
});
vi.mock("./line", () => ({ KeepLine: () => null }));
vi.mock("./login-page", () => ({ LoginPage: () => null }));
vi.mock("./shell/login-bar", () => ({ LoginBar: () => null }));
vi.mock("./shell/shell", () => ({ Shell: () => null }));

const person = (id: string): Me => ({
  id,
  username: id,
  name: id,
  roles: [],
  rights: [],
  lastLoginAt: null,
  mustChangePassword: false,
});

const stage = setStage();
const needed = { success: false, code: "staff.proof_needed", message: "" };

/** Shows the office to somebody; gives what shows it to others, and what sends a call that wants a proof. */
async function openTo(id: string) {
  const fetch = vi.fn(async () => Response.json(needed, { status: 403 }));
  vi.stubGlobal("fetch", fetch);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const showTo = (me: Me | null) =>
    stage.run(() => client.setQueryData<Me | null>(meQuery.queryKey, me));
  await showTo(person(id));
  await stage.show(
    <QueryClientProvider client={client}>
      <Gate />
    </QueryClientProvider>,
  );
  const send = () => sendProved(new Request("http://office.test/x", { method: "PUT", body: "x" }));
  return { fetch, showTo, send };
}

const isAsked = () => useProof.getState().settle !== null;

it("asks nobody else who somebody is that sent a call", async () => {
  const { fetch, showTo, send } = await openTo("ana");
  const answer = send();
  await stage.run(() => undefined);
  expect(stage.input("password")).not.toBeNull();
  // Another tab has logged out and somebody else in.
  await showTo(person("ben"));
  expect(isAsked()).toBe(false);
  expect((await answer).status).toBe(403);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it("asks nobody who comes in what was asked before", async () => {
  const { fetch, showTo, send } = await openTo("ana");
  await showTo(null);
  const answer = send();
  await vi.waitFor(() => expect(isAsked()).toBe(true));
  await showTo(person("ben"));
  expect(isAsked()).toBe(false);
  expect((await answer).status).toBe(403);
  expect(fetch).toHaveBeenCalledTimes(1);
});
