import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fieldNames, fieldText, valueText } from "./fields";

const domains = path.resolve(import.meta.dirname, "../../../../../domains");
const source = (file: string) => readFileSync(path.join(domains, file), "utf8");

/** The structs that the server writes into changes. */
const written: readonly [string, readonly string[]][] = [
  ["games/src/office/values.rs", ["VendorValue", "GameValue", "OfferValue", "LimitsValue"]],
  [
    "site/src/office/values.rs",
    ["SwitchValue", "RuleValue", "PolicyValue", "HostValue", "MaintenanceValue", "MerchantValue"],
  ],
  ["site/src/brand.rs", ["Brand"]],
  ["content/src/office/values.rs", ["ContentValue"]],
];

/** The fields of a struct as they are on the wire. */
function fieldsOf(text: string, name: string): string[] {
  const body =
    new RegExp(`pub(?:\\([a-z]+\\))? struct ${name} \\{([^}]*)\\}`).exec(text)?.[1] ?? "";
  const names = body.matchAll(/^\s*(?:pub(?:\([a-z]+\))? )?([a-z_]+): /gm);
  return [...names].map(([, field = ""]) =>
    field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

const t = (key: string, ...values: unknown[]) => [key, ...values].join(" ");

describe("changes in words", () => {
  it("has them for every field of what staff change", () => {
    for (const [file, structs] of written) {
      for (const name of structs) {
        const fields = fieldsOf(source(file), name);
        expect(fields, name).not.toEqual([]);
        expect(
          fields.filter((field) => !(field in fieldNames)),
          name,
        ).toEqual([]);
      }
    }
    const shown = /fn audit_value\([^{]*\{([^}]*)\}/.exec(source("staff/src/people.rs"))?.[1] ?? "";
    const people = [...shown.matchAll(/"(\w+)":/g)].map(([, name = ""]) => name);
    expect(people).toContain("isActive");
    expect(people.filter((name) => !(name in fieldNames))).toEqual([]);
  });

  it("says of what is held which one it is, and shows as written what nobody knows", () => {
    expect(fieldText("limits.PHP.minStake", t)).toBe("offer.min_stake (PHP)");
    expect(fieldText("texts.TY.title", t)).toBe("edit.title (TY)");
    expect(fieldText("isActive", t)).toBe("office.is_active_field");
    expect(fieldText("newer.thing", t)).toBe("newer.thing");
  });

  it("has words for what is yes, no or nothing, and for roles, rights and stakes", () => {
    expect(valueText("isActive", "true", t, "en")).toBe("office.yes");
    expect(valueText("isActive", "false", t, "en")).toBe("office.no");
    expect(valueText("position", "null", t, "en")).toBe("–");
    expect(valueText("roles", "auditor", t, "en")).toBe("office.role_auditor");
    expect(valueText("", "trail.read", t, "en")).toBe("office.right_trail_read");
    expect(valueText("limits.PHP.maxStake", "10000", t, "en")).toBe("₱10,000.00");
    expect(valueText("name", "Ana", t, "en")).toBe("Ana");
  });
});
