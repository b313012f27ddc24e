// Writes src/assets/lattice.svg: capiz panes of differing translucency. It is used as a mask only, so the
// theme gives it its colour. Seeded: the same picture every time.
import { writeFile } from "node:fs/promises";

const columns = 24;
const rows = 6;
const pane = 40;
const gap = 2.5;

let state = 20261115;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

const panes = [];
for (let row = 0; row < rows; row += 1) {
  for (let column = 0; column < columns; column += 1) {
    const light = (0.12 + 0.88 * random() ** 1.7).toFixed(2);
    const x = column * pane + gap / 2;
    const y = row * pane + gap / 2;
    panes.push(`<use href="#p" x="${x}" y="${y}" opacity="${light}"/>`);
  }
}
const size = `${columns * pane} ${rows * pane}`;
const side = pane - gap;
await writeFile(
  new URL("../src/assets/lattice.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${columns * pane}" height="${rows * pane}" viewBox="0 0 ${size}">` +
    `<defs><rect id="p" width="${side}" height="${side}" rx="3.5"/></defs>${panes.join("")}</svg>\n`,
);
