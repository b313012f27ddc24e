import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkShape, fits, patternIds } from "./patterns";

type Vectors = {
  patterns: { id: string; form: string }[];
  texts: { text: string; fits: string }[];
  shapes: { patternId: string; min: number; max: number; text: string; code: string | null }[];
};

const vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/patterns.json", import.meta.url), "utf8"),
) as Vectors;

const fitting = (text: string) => patternIds.filter((id) => fits(id, text)).join(" ");

describe("patterns", () => {
  it("are those of the server", () => {
    expect(vectors.patterns.map(({ id }) => id)).toEqual(patternIds);
  });

  it("agree with the server on every text", () => {
    expect(vectors.texts.length).toBeGreaterThan(1_000);
    const ours = vectors.texts.map(({ text }) => ({ text, fits: fitting(text) }));
    expect(ours).toEqual(vectors.texts);
  });

  it("agree with the server on lengths and the order of faults", () => {
    const ours = vectors.shapes.map((shape) => {
      const { patternId, min, max, text } = shape;
      return { ...shape, code: checkShape({ patternId, minLength: min, maxLength: max }, text) };
    });
    expect(ours).toEqual(vectors.shapes);
  });

  it("leave an unknown pattern to the server", () => {
    expect(fits("from-tomorrow", "anything")).toBe(true);
    expect(fits("constructor", "anything")).toBe(true);
  });
});

describe("the forms that the server tells as regular expressions", () => {
  const dates = new Set(["date_ymd", "date_mdy"]);
  it.each(vectors.patterns.filter(({ form }) => form !== "*"))("$id", ({ id, form }) => {
    const expression = new RegExp(form, "su");
    // A date's form does not know the days of a month, so it lets more through.
    const wrong = vectors.texts.filter(({ text }) =>
      dates.has(id)
        ? fits(id, text) && !expression.test(text)
        : fits(id, text) !== expression.test(text),
    );
    expect(wrong).toEqual([]);
  });
});
