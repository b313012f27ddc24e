// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import { FeedbackForm } from "./feedback-form";

const { call, session } = vi.hoisted(() => ({ call: vi.fn(), session: { kind: "visitor" } }));
vi.mock("@/lib/api/client", async (load) => ({ ...(await load<object>()), call }));
vi.mock("@/features/auth/session", () => ({ useSession: () => session }));
vi.mock("@/features/auth/sign-in", () => ({
  withProof: (send: (human: string) => unknown) => send("proof"),
}));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

const content = "Where is my welcome credit?";
const contact = "marikit@mail.example";

describe("a message to the house", () => {
  const page = setStage();
  const onSent = vi.fn();
  beforeEach(() => vi.clearAllMocks());

  it.each([
    ["visitor", "proof"],
    // A demo costs nothing, and whoever loads its page may have one.
    ["trial", "proof"],
    ["unknown", "proof"],
    ["member", undefined],
  ])("of a %s goes with a proof of a person: %s", async (kind, human) => {
    session.kind = kind;
    await page.show(
      <QueryClientProvider client={new QueryClient()}>
        <FeedbackForm about={undefined} isVisitor={kind === "visitor"} onSent={onSent} />
      </QueryClientProvider>,
    );
    await page.type({ content, contact });
    await page.submit();
    const body = { questionType: "ACCOUNT", content, contact, human };
    expect(call.mock.calls).toEqual([["PUT", "/wps/feedback", { body }]]);
    expect(onSent).toHaveBeenCalledOnce();
  });
});
