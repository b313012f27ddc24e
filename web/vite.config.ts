import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig } from "vite";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const server = process.env["CAPIZ_URL"] ?? "http://127.0.0.1:8080";

/** While developing there is no server that writes boot data into the document: this stands in for it. */
function devBoot(): Plugin {
  const boot = {
    lang: "EN",
    merchant: {
      code: "demo",
      name: "Capiz",
      currency: "PHP",
      timeZone: "Asia/Manila",
      languages: ["EN", "TY"],
    },
    status: 0,
    switches: { COMM3: true, DIRECTREG3: true, USERNAMEREG3: true },
    games: [
      {
        nodeId: "dice",
        vendor: "CAPIZ",
        vassalage: "CAPIZ",
        gameType: "RNG",
        gameCode: "dice",
        gameName: "Dice",
        displayName: "Dice",
        showIcon: "/art/dice.svg",
        supportPlay: 1,
        isGame: "GAME",
        returnPercent: "99",
      },
    ],
  };
  return {
    name: "capiz-dev-boot",
    apply: "serve",
    transformIndexHtml: (html) => html.replace("__BOOT__", JSON.stringify(boot)),
  };
}

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
      : { input: [path("./index.html"), path("./office.html"), path("./game.html")] },
  },
}));
