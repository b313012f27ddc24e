// @vitest-environment happy-dom
import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import AgentPage from "./agent-page";

const { session, leave } = vi.hoisted(() => ({
  session: { kind: "unknown", member: null as { isAgent: boolean } | null },
  leave: vi.fn(),
}));
vi.mock("@/features/auth/session", () => ({ useSession: () => ({ ...session }) }));
vi.mock("@/features/auth/leave", () => ({ useLeave: () => leave }));
vi.mock("@/lib/i18n/i18n", () => ({ useT: () => (key: string) => key }));
vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { children: string }) => children,
}));
vi.mock("./later-page", () => ({ LaterPage: ({ title }: { title: string }) => title }));
vi.mock("./agent-login", () => ({ default: Login }));

/** What stands in it is lost when it goes. */
function Login() {
  const [tries, setTries] = useState(0);
  return <button type="button" onClick={() => setTries(tries + 1)}>{`tries: ${tries}`}</button>;
}

describe("the agents' page", () => {
  const page = setStage();
  const show = (kind: string, member: { isAgent: boolean } | null = null) => {
    Object.assign(session, { kind, member });
    return page.show(<AgentPage />);
  };
  beforeEach(() => vi.clearAllMocks());

  it("asks nobody before it is known who looks", async () => {
    await show("unknown");
    expect(page.text()).not.toContain("tries");
    await show("member", { isAgent: true });
    expect(page.text()).toBe("agent.title");
  });

  it("keeps its log-in until it is known who has come, and where that fails", async () => {
    await show("visitor");
    await page.press("tries: 0");
    await show("unknown");
    expect(page.text()).toBe("tries: 1");
    await show("visitor");
    expect(page.text()).toBe("tries: 1");
    await show("unknown");
    await show("member", { isAgent: true });
    expect(page.text()).toBe("agent.title");
  });

  it("lets those leave who are no agents", async () => {
    await show("member", { isAgent: false });
    await page.press("logout.action");
    expect(leave).toHaveBeenCalledOnce();
  });
});
