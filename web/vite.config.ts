import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { type Plugin, build, defineConfig } from "vite";
import { sampleBoot } from "./src/lib/boot/sample";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const server = process.env["CAPIZ_URL"] ?? "http://127.0.0.1:8080";

/** While developing there is no server that writes boot data into the document: this stands in for it. */
function devBoot(): Plugin {
  return {
    name: "capiz-dev-boot",
    apply: "serve",
    transformIndexHtml: (html) => html.replace("__BOOT__", JSON.stringify(sampleBoot("EN"))),
  };
}

/** Puts what notes early presses into the document's one inline script: it must be there before all other scripts. */
function earlyInline(): Plugin {
  return {
    name: "capiz-early-inline",
    transformIndexHtml: async (html) => {
      if (!html.includes("/* early */")) return html;
      const script = await bundled("./src/apps/player/early-inline.ts");
      return html.replace("/* early */", () => script);
    },
  };
}

/** A small script with all that it imports, as text. */
async function bundled(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    build: {
      target: "es2022",
      write: false,
      modulePreload: false,
      rolldownOptions: { input: path(entry), output: { format: "iife" } },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  for (const one of outputs) if ("output" in one) return one.output[0].code.trim();
  throw new Error(`${entry} gave no script`);
}

/**
 * What the forms of accounts share is one file: in pieces it would be a dozen, each with its name in the home page's
 * list of what may be loaded later.
 */
const ofForms =
  /src\/ui\/(tabs|code-field|mobile-field|popup-band)\.|src\/lib\/(countdown|patterns)\b|src\/features\/auth\/(api-login|checks|countries|rules|sign-in|sms|use-captcha)\.|src\/features\/auth\/components\/(auth-band|human-note)\./;

/** What shows texts of staff, with their cleaner and its list: files that need each other as they begin would not. */
const ofTexts =
  /node_modules\/dompurify\/|src\/ui\/(safe-html|accordion)\.|src\/lib\/links\.|vectors\/html\.json/;

/** What the site and the office both begin with, in two files: small ones compress badly. */
const ofAll =
  /node_modules\/(react|react-dom|scheduler|zustand|use-sync-external-store|@tanstack\/(react-router|router-core|history|react-store|store|query-core|react-query))\/(?!.*(mutationObserver|infiniteQueryObserver|useMutation|useInfiniteQuery)\.)/;
const ofBoth =
  /src\/lib\/(api\/(client|error|error-text|patiently|sealed|token|typed)|boot\/boot|i18n\/[a-z0-9]+|lazy|popup\/popup|push\/(apply|keys|reload)|query-client|theme\/theme)\.ts|src\/ui\/(button|dialog|error-boundary|focus-page|icon|icon-button|icon-paths|keep-focus|popup-hold|popup-host|skeleton|toast|wordmark)\./;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss(), devBoot(), earlyInline()],
  resolve: {
    alias: {
      "@": path("./src"),
      // React has it built in; the stand-in for old versions need not be loaded.
      "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector",
    },
  },
  server: {
    proxy: {
      "/wps/push": { target: server, ws: true },
      "/wps": server,
      "/lgw": server,
      "/office/api": server,
    },
  },
  build: {
    target: "es2022",
    // Nothing is inlined as data: the files are hashed, compressed and cached for ever.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: !isSsrBuild,
    reportCompressedSize: false,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: [path("./index.html"), path("./office.html"), path("./game.html")],
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: "forms", test: ofForms },
                { name: "texts", test: ofTexts },
                { name: "base", test: ofAll },
                { name: "kit", test: ofBoth },
              ],
            },
          },
        },
  },
}));
