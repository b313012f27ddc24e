import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  type Needs,
  type PopupRegistry,
  askConfirm,
  closeAllPopups,
  closeMembersPopups,
  closePopup,
  openPopup,
  setUpPopups,
  usePopups,
} from "./popup";

const load = () => Promise.reject(new Error("not rendered here"));
const entry = (needs: Needs, stack: "page" | "over") => ({ load, needs, stack });
const text = { title: "logout.title", text: "logout.text", action: "logout.action" } as const;

function setUp(confirmNeeds: Needs = "anyone", refused = false): void {
  const registry: Partial<PopupRegistry> = {
    confirm: entry(confirmNeeds, "over"),
    notice: entry("anyone", "page"),
    login: entry("anyone", "over"),
    register: entry("anyone", "over"),
    recoveryCodes: entry("member", "over"),
    vendorGames: entry("session", "over"),
    miniGame: entry("session", "page"),
  };
  setUpPopups(registry as PopupRegistry, (needs) =>
    refused && needs !== "anyone" ? { name: "notice", props: text } : null,
  );
}
const names = () => usePopups.getState().open.map((popup) => popup.name);

beforeEach(() => {
  setUp();
  closeAllPopups();
});

describe("popups", () => {
  it("stack: what lies over closes alone", () => {
    openPopup("notice", text);
    const over = openPopup("confirm", { ...text, resolve: () => undefined });
    expect(names()).toEqual(["notice", "confirm"]);
    closePopup(over);
    expect(names()).toEqual(["notice"]);
  });

  it("queue: a second page popup waits for the first", () => {
    const first = openPopup("notice", text);
    openPopup("notice", text);
    expect(names()).toEqual(["notice"]);
    closePopup(first);
    expect(names()).toEqual(["notice"]);
    expect(usePopups.getState().waiting).toEqual([]);
    expect(usePopups.getState().open[0]?.id).not.toBe(first);
  });

  it("tell their opener once when they close", () => {
    const closed = vi.fn<() => void>();
    const id = openPopup("notice", text, closed);
    closePopup(id);
    closePopup(id);
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it("close with a session where only its member may see them, those that wait, too", () => {
    const closed = vi.fn<() => void>();
    const page = openPopup("notice", text);
    openPopup("miniGame", {}, closed);
    openPopup("recoveryCodes", {}, closed);
    openPopup("login", {});
    openPopup("vendorGames", { vassalage: "V" }, closed);
    closeMembersPopups();
    expect(names()).toEqual(["notice", "login"]);
    expect(closed).toHaveBeenCalledTimes(3);
    closePopup(page);
    expect(names()).toEqual(["login"]);
  });

  it("open what the guard asks for instead", () => {
    setUp("member", true);
    openPopup("confirm", { ...text, resolve: () => undefined });
    expect(names()).toEqual(["notice"]);
  });
});

describe("askConfirm", () => {
  it("answers what was chosen", async () => {
    const answer = askConfirm(text);
    const [popup] = usePopups.getState().open;
    if (!popup || !("resolve" in popup.props)) throw new Error("no question is open");
    popup.props.resolve(true);
    closePopup(popup.id);
    await expect(answer).resolves.toBe(true);
  });
  it("answers no when it is closed", async () => {
    const answer = askConfirm(text);
    closeAllPopups();
    await expect(answer).resolves.toBe(false);
  });
});
