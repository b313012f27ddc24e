import { readFile, rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { chunkOf } from "./manifest.mjs";
import { webPath } from "./paths.mjs";

const languages = [
  { code: "EN", folder: "en" },
  { code: "TY", folder: "fil" },
];

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (char) => escapes[char]);

/** What the browser may fetch before it has read the scripts. */
function earlyLinks(manifest, folder, withScripts) {
  const fonts = ["familjen", "anybody"].map((name) => {
    const { file } = chunkOf(manifest, `src/assets/fonts/${name}.woff2`);
    return `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin />`;
  });
  const { file } = chunkOf(manifest, `src/locales/${folder}/core.json`);
  const words = `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}" />`;
  return [...fonts, ...(withScripts ? [words] : [])].join("\n    ");
}

/**
 * The page is already there without scripts: they wait behind styles, fonts and pictures, which brings the first
 * paint forward by a second on a slow line.
 */
function scriptsLast(html) {
  return html.replace(
    /<(script type="module"|link rel="modulepreload") crossorigin/g,
    '<$1 crossorigin fetchpriority="low"',
  );
}

function document(template, page, links) {
  return scriptsLast(template)
    .replace(/<html lang="[^"]*"/, `<html lang="${page.tag}"`)
    .replace(/<title>[^<]*<\/title>/, `<title>${escaped(page.title)}</title>`)
    .replace(
      '<meta name="description" content="" />',
      `<meta name="description" content="${escaped(page.description)}" />`,
    )
    .replace("<!--/head-->", `<!--/head-->\n    ${links}`)
    .replace('<div id="root"></div>', () => `<div id="root">${page.html}</div>`);
}

/** The page for unknown hosts needs no script and no app: only the look. */
function withoutScripts(html) {
  return html
    .replace(/\s*<link rel="manifest"[^>]*>/, "")
    .replace(/\s*<script id="boot"[^]*?<\/script>/, "")
    .replace(/\s*<script type="module"[^>]*><\/script>/, "")
    .replace(/\s*<link rel="modulepreload"[^>]*>/g, "");
}

function check(name, html) {
  const styled = /<[a-z][^>]*\sstyle="/i.exec(html.replace(/<script[^]*?<\/script>/g, ""));
  if (styled)
    throw new Error(
      `${name} holds a style attribute, which the page's policy forbids: ${styled[0]}`,
    );
  const inline = html.match(/<script>/g)?.length ?? 0;
  if (inline !== 1) throw new Error(`${name} holds ${inline} inline scripts instead of one`);
}

/** Writes the documents of the player site in every language. Returns how many. */
export async function prerender(manifest) {
  const { renderHome, renderShell, renderDomainCheck, describePages } = await import(
    pathToFileURL(webPath(".build/ssr/entry-server.js")).href
  );
  const template = await readFile(webPath(".build/dist/index.html"), "utf8");
  let written = 0;
  const write = async (name, html) => {
    check(name, html);
    await writeFile(webPath(`.build/dist/${name}`), html);
    written += 1;
  };
  for (const { code, folder } of languages) {
    const links = earlyLinks(manifest, folder, true);
    await write(`home.${folder}.html`, document(template, await renderHome(code), links));
    await write(`shell.${folder}.html`, document(template, await renderShell(code), links));
    const bare = document(
      template,
      await renderDomainCheck(code),
      earlyLinks(manifest, folder, false),
    );
    await write(`domain.${folder}.html`, withoutScripts(bare));
    // The server puts them into the heads of documents.
    const said = JSON.stringify(await describePages(code));
    await writeFile(webPath(`.build/dist/meta.${folder}.json`), said);
  }
  await rm(webPath(".build/dist/index.html"));
  return written;
}
