// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readToken, storeToken } from "@/lib/api/token";
import { type PopupRegistry, closeAllPopups, setUpPopups, usePopups } from "@/lib/popup/popup";
import { setStage } from "@/lib/testing/stage";
import type { Site } from "./enter";
import { leave, useLeave } from "./leave";

const { logout, router } = vi.hoisted(() => ({
  logout: vi.fn(),
  router: { navigate: vi.fn() },
}));
vi.mock("./api", () => ({ logout }));
vi.mock("@tanstack/react-router", () => ({ useRouter: () => router }));
vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

const client = new QueryClient();

function Leave() {
  const leave = useLeave();
  return (
    <button type="button" onClick={() => void leave()}>
      {"leave"}
    </button>
  );
}

describe("leaving", () => {
  const page = setStage();
  const open = () => usePopups.getState().open;

  beforeEach(() => {
    vi.clearAllMocks();
    logout.mockResolvedValue(undefined);
    const confirm = { load: vi.fn(), needs: "anyone", stack: "over" };
    setUpPopups({ confirm } as unknown as PopupRegistry, () => null);
    closeAllPopups();
    storeToken("T");
  });

  const press = async () => {
    await page.show(
      <QueryClientProvider client={client}>
        <Leave />
      </QueryClientProvider>,
    );
    await page.press("leave");
  };

  it("asks first, and stays where the question is closed", async () => {
    await press();
    expect(open()).toMatchObject([{ name: "confirm", props: { title: "logout.title" } }]);
    await page.run(() => closeAllPopups());
    expect(readToken()).toBe("T");
    expect(logout).not.toHaveBeenCalled();
  });

  it("goes once that is answered", async () => {
    await press();
    const [question] = open();
    await page.run(() => {
      if (question && "resolve" in question.props) question.props.resolve(true);
    });
    expect(readToken()).toBeNull();
    expect(logout).toHaveBeenCalledOnce();
    expect(router.navigate.mock.calls).toEqual([[{ to: "/", replace: true }]]);
  });

  it("asks nobody who has to go", async () => {
    await leave({ client, router: router as unknown as Site["router"] });
    expect(open()).toEqual([]);
    expect(readToken()).toBeNull();
  });
});
