// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import type { LoginAnswer } from "./api";
import { useEnter } from "./use-enter";

const { enter, withdraw, send } = vi.hoisted(() => ({
  enter: vi.fn(),
  withdraw: vi.fn(),
  send: vi.fn(),
}));
vi.mock("./enter", () => ({ enter }));
vi.mock("./api", () => ({ withdraw }));
vi.mock("@tanstack/react-router", () => ({ useRouter: () => "router" }));

const view = { token: "T" } as LoginAnswer;
const client = new QueryClient();

function Form({ late }: { late: "anyway" | undefined }) {
  const enter = useEnter(late);
  const go = async () => enter("login", (await send()) as LoginAnswer, { next: "/play/dice" });
  return (
    <button type="button" onClick={() => void go()}>
      {"log in"}
    </button>
  );
}

describe("a way in", () => {
  const page = setStage();
  let answer: (view: LoginAnswer) => void;
  const begin = async (late?: "anyway") => {
    send.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    await page.show(
      <QueryClientProvider client={client}>
        <Form late={late} />
      </QueryClientProvider>,
    );
    await page.press("log in");
  };
  beforeEach(() => vi.clearAllMocks());

  it("lets in whoever waits for it", async () => {
    await begin();
    await page.run(() => answer(view));
    const site = { client, router: "router" };
    expect(enter.mock.calls).toEqual([[site, "login", view, { next: "/play/dice" }]]);
    expect(withdraw).not.toHaveBeenCalled();
  });

  it("ends what comes after its form was closed", async () => {
    await begin();
    await page.show(null);
    await page.run(() => answer(view));
    expect(enter).not.toHaveBeenCalled();
    expect(withdraw.mock.calls).toEqual([[view]]);
  });

  it("lets in all the same whoever has made an account by it", async () => {
    await begin("anyway");
    await page.show(null);
    await page.run(() => answer(view));
    expect(enter).toHaveBeenCalledOnce();
    expect(withdraw).not.toHaveBeenCalled();
  });
});
