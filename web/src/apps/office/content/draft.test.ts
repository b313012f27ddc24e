import { describe, expect, it } from "vitest";
import type { ContentRow } from "./api";
import { draftOf, faultsOf, isSame, newDraft, titleOf, valueOf } from "./draft";

const zone = "Asia/Manila";
const row: ContentRow = {
  id: "1",
  kind: "banner",
  slot: "w_home",
  position: 1,
  isShown: true,
  startsAt: "2026-11-16T00:00:00.000Z",
  endsAt: null,
  data: { image: null, url: "/rng", linkageType: "ROUTE" },
  texts: { EN: { title: "Reef", text: "", alt: "" } },
  version: 3,
  updatedAt: "2026-11-16T00:00:00Z",
  updatedBy: "content",
  state: "live",
};

describe("a draft", () => {
  it("says the same as the piece that it was made of", () => {
    const draft = draftOf(row, "banner", zone);
    expect(draft.startsAt).toBe("2026-11-16T08:00");
    const { slot, isShown, startsAt, endsAt, data, texts } = row;
    expect(valueOf(draft, "banner", zone)).toEqual({
      slot,
      isShown,
      startsAt,
      endsAt,
      data,
      texts,
    });
    expect(isSame(draft, draftOf({ ...row, version: 4 }, "banner", zone))).toBe(true);
  });
  it("leaves out what is not asked for", () => {
    const draft = draftOf(row, "banner", zone);
    const nowhere = { ...draft, data: { ...draft.data, linkageType: "NONE" } };
    expect(valueOf(nowhere, "banner", zone).data).toEqual({
      image: null,
      url: null,
      linkageType: "NONE",
    });
  });
  it("of a new piece is hidden, and has the first of each choice", () => {
    const draft = newDraft("announcement", "");
    expect(draft.isShown).toBe(false);
    expect(draft.data).toEqual({ type: "PU", execution: "A", promotion: "", promotionType: "" });
  });
  it("has numbers where the server wants them", () => {
    const draft = newDraft("download", "ANDROID");
    const full = { ...draft, data: { url: "/files/a.apk", version: "1.2", bytes: "12" } };
    expect(valueOf(full, "download", zone).data).toEqual({
      url: "/files/a.apk",
      version: "1.2",
      bytes: 12,
    });
  });
});

describe("what is wrong with a draft", () => {
  const draft = draftOf(row, "banner", zone);
  it("is nothing where the usual language is written", () => {
    expect(faultsOf(draft, "banner", "EN")).toEqual({});
  });
  it("is a usual language that is missing, and another that is begun only", () => {
    expect(faultsOf(draft, "banner", "TY")).toEqual({ "texts.TY.title": "office.required" });
    const begun = { ...draft, texts: { ...draft.texts, TY: { title: " ", text: "Isda" } } };
    expect(faultsOf(begun, "banner", "EN")).toEqual({ "texts.TY.title": "office.required" });
  });
  it("is an address that is missing where something leads somewhere", () => {
    const data = { ...draft.data, url: "" };
    expect(faultsOf({ ...draft, data }, "banner", "EN")).toEqual({ "data.url": "office.required" });
    const nowhere = { ...data, linkageType: "NONE" };
    expect(faultsOf({ ...draft, data: nowhere }, "banner", "EN")).toEqual({});
  });
  it("is an end before the beginning", () => {
    const ended = { ...draft, endsAt: "2026-11-16T08:00" };
    expect(faultsOf(ended, "banner", "EN")).toEqual({ endsAt: "edit.fault_ends" });
  });
});

describe("titleOf", () => {
  it("takes another language where there is none", () => {
    expect(titleOf(row, "TY")).toBe("Reef");
    expect(titleOf({ texts: {} }, "EN")).toBe("–");
  });
});
