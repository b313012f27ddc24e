import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";

const web = path.resolve(import.meta.dirname, "..");
const made: string[] = [];

/** Lints a throw-away file in the given folder; the answer is what the linter says. */
function lint(folder: string, source: string): string {
  const directory = mkdtempSync(path.join(web, folder, "lint-probe-"));
  made.push(directory);
  writeFileSync(path.join(directory, "probe.ts"), source);
  try {
    return execFileSync(path.join(web, "node_modules/.bin/oxlint"), [directory], {
      cwd: web,
      encoding: "utf8",
    });
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  }
}

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true });
});

const forbidden = "no-restricted-imports";

describe("the layers", () => {
  it.each([
    ["src/features/wallet", `import { login } from "@/features/auth/api";\nvoid login;\n`],
    ["src/features/auth", `import { App } from "@/apps/player/app";\nvoid App;\n`],
    ["src/lib", `import { Button } from "@/ui/button";\nvoid Button;\n`],
    ["src/ui", `import { balanceQuery } from "@/features/wallet/api";\nvoid balanceQuery;\n`],
    ["src/games/dice", `import { api } from "@/lib/api/client";\nvoid api;\n`],
  ])("refuse an upward import in %s", (folder, source) => {
    expect(lint(folder, source)).toContain(forbidden);
  });

  it.each([
    ["src/features/wallet", `import { api } from "@/lib/api/client";\nvoid api;\n`],
    ["src/apps/player", `import { login } from "@/features/auth/api";\nvoid login;\n`],
  ])("take a downward import in %s", (folder, source) => {
    expect(lint(folder, source)).not.toContain(forbidden);
  });

  it("have a rule for every feature", () => {
    const rules = readFileSync(path.join(web, ".oxlintrc.json"), "utf8");
    for (const feature of readdirSync(path.join(web, "src/features"))) {
      expect(rules).toContain(`"src/features/${feature}/**"`);
    }
  });
});
