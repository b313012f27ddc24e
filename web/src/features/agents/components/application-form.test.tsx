// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import { ApplicationForm } from "./application-form";

const { call, session } = vi.hoisted(() => ({ call: vi.fn(), session: { kind: "visitor" } }));
vi.mock("@/lib/api/client", async (load) => ({ ...(await load<object>()), call }));
vi.mock("@/features/auth/session", () => ({ useSession: () => session }));
vi.mock("@/features/auth/sign-in", () => ({
  withProof: (send: (human: string) => unknown) => send("proof"),
}));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

const typed = { name: "Maria", contact: "maria@mail.example", audience: "Players of Manila" };

describe("an application", () => {
  const page = setStage();
  beforeEach(() => vi.clearAllMocks());

  it.each([
    ["visitor", "proof"],
    ["trial", "proof"],
    ["member", undefined],
  ])("of a %s goes with a proof of a person: %s", async (kind, human) => {
    session.kind = kind;
    await page.show(
      <QueryClientProvider client={new QueryClient()}>
        <ApplicationForm isVisitor={kind === "visitor"} onSent={() => undefined} />
      </QueryClientProvider>,
    );
    await page.type(typed);
    await page.submit();
    const body: unknown = expect.objectContaining({ ...typed, human });
    expect(call.mock.calls).toEqual([["PUT", "/wps/agent/affiliate", { body }]]);
  });
});
