import { describe, expect, it } from "vitest";

import { wordFiles } from "./word-files";

const known = ["en/table.json", "en/dice.json", "en/slots/all.json", "en/slots/reef.json"];

describe("the words of a game", () => {
  it("are the table's and its own", () => {
    expect(wordFiles(known, "en/", "dice")).toEqual(["en/table.json", "en/dice.json"]);
  });

  it("are also those of its family", () => {
    const files = ["en/table.json", "en/slots/all.json", "en/slots/reef.json"];
    expect(wordFiles(known, "en/", "reef")).toEqual(files);
  });

  it("are none for what is no game of this language", () => {
    expect(wordFiles(known, "en/", "roulette")).toEqual([]);
    expect(wordFiles(known, "fil/", "dice")).toEqual([]);
  });
});
