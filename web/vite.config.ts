import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig } from "vite";
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

/**
 * What the forms of accounts share is one file: in pieces it would be a dozen, each with its name in the home page's
 * list of what may be loaded later.
 */
const ofForms =
  /src\/ui\/(tabs|code-field|mobile-field)\.|src\/lib\/(countdown|patterns)\b|src\/features\/auth\/(api-login|checks|countries|password-rule|rules|sign-in|sms)\.|src\/features\/auth\/components\/(captcha-field|human-note)\./;

/** What the site and the office both begin with, in one file as well: small files compress badly. */
const ofAll =
  /node_modules\/(react|react-dom|scheduler|zustand|@tanstack\/(react-router|router-core|history|react-store|store))\//;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss(), devBoot()],
  resolve: { alias: { "@": path("./src") } },
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
                { name: "base", test: ofAll },
              ],
            },
          },
        },
  },
}));
