// Draws what must be PNG: the app's icons, and the pictures that stand beside a shared link. They are
// committed, because drawing takes a browser: run `npm run pictures` after a change of words or art.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { chromium } from "playwright-core";
import { chromiumLaunch } from "../e2e/chromium.mjs";
import { scenery } from "./art/content.mjs";
import { webPath } from "./lib/paths.mjs";
import { withPalette } from "./lib/png.mjs";

const SHARED = { width: 1200, height: 630, pane: 90, calm: 0.54, full: 0.8 };
const NIGHT = "#07110e";
/** The mark in a box of 22 by 22. */
const MARK = `<path d="M0 0h10v10H0zM12 12h10v10H12zM0 12h10v10H0z" fill="#a9dcc3"/><path d="M12 0h6a4 4 0 0 1 4 4v6H12z" fill="#ffb626"/>`;

/** Icons: side in pixels, how much of it the mark takes, and the corners of its ground. */
const ICONS = {
  "icons/192.png": [192, 0.6875, 5 / 32],
  "icons/512.png": [512, 0.6875, 5 / 32],
  "icons/maskable-512.png": [512, 0.5, 0],
  "icons/apple-touch-180.png": [180, 0.6, 0],
};
const FAVICON_SIDES = [16, 32, 48];

/** Shared pictures: plate, things as [name, x, y, size], and headline and line by language. */
const PICTURES = {
  home: {
    plate: "lumot",
    things: [
      ["lens", 1070, 450, 0.85],
      ["dice", 900, 290, 1.4],
    ],
    en: ["The house you can see through", "Sealed before you bet. Yours to check after."],
    fil: ["Ang pustahang walang itinatago", "Selyado bago ka tumaya. Masusuri mo pagkatapos."],
  },
  games: {
    plate: "ube",
    things: [
      ["sari", 815, 425, 0.9],
      ["windows", 1020, 300, 1.35],
    ],
    en: ["Twelve games of our own", "Try every one free, with play money."],
    fil: ["Labindalawang sariling laro", "Subukan lahat nang libre, gamit ang perang panlaro."],
  },
  promotions: {
    plate: "sili",
    things: [
      ["pearls", 1085, 480, 0.75],
      ["gift", 915, 300, 1.45],
    ],
    en: ["Promotions, plainly told", "What is open, what comes later, and the rule of each."],
    fil: ["Mga promo, walang paligoy", "Kung ano ang bukas, ano ang susunod, at ang tuntunin."],
  },
  fairness: {
    plate: "dahon",
    things: [["lens", 930, 315, 1.7]],
    en: ["Fair, and you can check it", "Every number of every round, worked out in your browser."],
    fil: ["Patas, at masusuri mo", "Bawat numero ng bawat round, kinukuwenta ng browser mo."],
  },
  help: {
    plate: "dagat",
    things: [["buoy", 930, 315, 1.6]],
    en: ["Help center", "Accounts, rounds, money and games, answered plainly."],
    fil: ["Help center", "Account, mga round, pera at laro: malinaw na sagot."],
  },
  download: {
    plate: "santan",
    things: [["phone", 930, 315, 1.7]],
    en: ["The house on your phone", "For Android, iPhone and iPad. Always the current version."],
    fil: ["Ang bahay sa telepono mo", "Para sa Android, iPhone at iPad. Laging bago."],
  },
};

function icon([side, share, corner]) {
  const [size, edge] = [share / 22, (1 - share) / 2];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 1 1"><rect width="1" height="1" rx="${corner}" fill="${NIGHT}"/><g transform="translate(${edge} ${edge}) scale(${size})">${MARK}</g></svg>`;
}

async function fontFace(family, file, more) {
  const bytes = await readFile(webPath(`src/assets/fonts/${file}.woff2`));
  return `@font-face{font-family:${family};src:url(data:font/woff2;base64,${bytes.toString("base64")});${more}}`;
}

const fonts = await Promise.all([
  fontFace("Anybody", "anybody", "font-weight:500 800;font-stretch:75% 150%"),
  fontFace("Familjen", "familjen", "font-weight:400 700"),
]);
const STYLE = `${fonts.join("")}
*{margin:0;box-sizing:border-box}
body{width:1200px;height:630px;position:relative;background:${NIGHT};color:#f3f0e6;font-family:Familjen}
body>svg.art{position:absolute;inset:0}
div{position:absolute;left:72px;top:60px;bottom:60px;width:570px;display:flex;flex-direction:column}
h1{font:800 60px/1.04 Anybody;font-stretch:125%;letter-spacing:-.01em;margin-top:auto;text-wrap:balance}
p{font-size:32px;line-height:1.25;color:#b4bbb0;margin-top:22px;width:510px;text-wrap:balance}
b{margin-top:auto;align-self:flex-start;font-weight:600;font-size:25px;padding:5px 14px;border:2px solid #4d5f58;border-radius:4px 14px}`;

function shared(name, language) {
  const { plate, things, [language]: words } = PICTURES[name];
  const art = scenery(`shared:${name}`, SHARED, plate, "square", things);
  const mark = `<svg width="66" height="66" viewBox="0 0 22 22">${MARK}</svg>`;
  return `<style>${STYLE}</style>${art.replace("<svg", '<svg class="art"')}<div>${mark}<h1>${words[0]}</h1><p>${words[1]}</p><b>18+</b></div>`;
}

/** PNG pictures in the frame of an .ico file. */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [i, [side, png]] of pictures.entries()) {
    const entry = 6 + 16 * i;
    head.writeUInt8(side, entry);
    head.writeUInt8(side, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  }
  return Buffer.concat([head, ...pictures.map(([, png]) => png)]);
}

async function save(name, bytes) {
  const path = webPath(`public/${name}`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}

const browser = await chromium.launch(await chromiumLaunch());
const page = await browser.newPage();

/** A picture of some HTML, with nothing behind it where it is open. */
async function shoot(html, width, height) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<!doctype html><body>${html}`);
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ omitBackground: true });
}

const drawIcon = (look) =>
  shoot(`<style>body{margin:0}svg{display:block}</style>${icon(look)}`, look[0], look[0]);

for (const [name, look] of Object.entries(ICONS)) await save(name, await drawIcon(look));
const favicons = [];
for (const side of FAVICON_SIDES) favicons.push([side, await drawIcon([side, 0.6875, 5 / 32])]);
await save("favicon.ico", ico(favicons));
for (const name of Object.keys(PICTURES)) {
  for (const language of ["en", "fil"]) {
    const png = await shoot(shared(name, language), SHARED.width, SHARED.height);
    await save(`og/${name}.${language}.png`, withPalette(png));
  }
}
await browser.close();
