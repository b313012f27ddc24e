// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearSession } from "@/lib/api/token";
import { closeAllPopups, openPopup, usePopups } from "@/lib/popup/popup";
import { setStage } from "@/lib/testing/stage";
import { setUpPlayerPopups } from "./popup-registry";
import { PopupRoute } from "./popup-route";

const { navigate } = vi.hoisted(() => ({ navigate: vi.fn() }));
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => navigate }));
vi.mock("@/lib/i18n/i18n", () => ({ t: (key: string) => key }));

const refusal = "error.session_required";

describe("a log-in that nobody asked for", () => {
  const page = setStage();
  const open = () => usePopups.getState().open.map(({ name, props }) => [name, props]);

  beforeEach(() => {
    setUpPlayerPopups(new QueryClient());
    closeAllPopups();
    clearSession();
  });

  it.each([
    ["login", "/login?next=%2Flottery", { next: "/lottery", refusal }],
    ["login", "/login", {}],
    ["register", "/register?next=%2Flottery", { next: "/lottery" }],
  ] as const)("says why it is there at an address: %s, %s", async (name, address, props) => {
    history.replaceState(null, "", address);
    await page.show(<PopupRoute name={name} />);
    expect(open()).toEqual([[name, props]]);
  });

  it("says so in the place of a member's popup", () => {
    openPopup("bind", { what: "email", purpose: "change" });
    expect(open()).toEqual([["login", { refusal }]]);
  });
});
