import { n } from "../svg.mjs";
import { at, ground, orb, rings, scallop, spark } from "./shapes.mjs";
import { SYMBOLS } from "./symbols.mjs";

/** Props of the house's slots, drawn like those of its quick games. */
export const MACHINE_PROPS = { reef, windows, sari, fiesta };

/** An open shell with its pearl between corals. */
function reef() {
  const branch =
    "M0 0q-4-34-22-52M-8-30q16-24 12-54M-18-48q-20-8-26-28M-2-64q-14-14-12-32M4-74q14-8 18-26";
  const coral = (paint) =>
    `<path d="${branch}" fill="none" stroke="#3a0d22" stroke-opacity=".45" stroke-width="18" stroke-linecap="round"/><path d="${branch}" fill="none" stroke="${paint}" stroke-width="13" stroke-linecap="round"/>`;
  const weed = `<path d="M0 0q-22-34 0-66t-6-66q26 34 6 68t12 64z" fill="url(#leaf)"/>`;
  const line = "#7c2b4a";
  const upper = scallop(112, 128, 7, "shell", line);
  const lower = `<g transform="scale(1-.5)">${scallop(118, 136, 7, "shell", line)}</g><ellipse cy="2" rx="98" ry="26" fill="url(#inner)" stroke="${line}" stroke-width="3"/><ellipse cy="8" rx="74" ry="15" fill="#b8486e" opacity=".4"/>`;
  const fish = `<g transform="scale(-.5 .5)">${SYMBOLS.fish({ pop: "#ffb02e", ink: "#7a2b00", pale: "#fff" })}</g>`;
  return `${ground(120, 116)}${at(-98, 106, weed, -10)}${at(104, 110, coral("#ff7d5c"), 14)}${at(-84, 110, coral("#ff5f8d"), -8, 0.9)}${at(0, 52, upper)}${at(0, 60, lower)}${at(0, 36, orb(33, "pearl"))}${at(88, -76, fish, 8)}${rings(
    [
      [-104, -50, 9],
      [-88, -80, 6],
      [-112, -92, 12],
      [112, -14, 7],
      [60, -112, 8],
    ],
  )}${spark(20, 14, 1)}`;
}

/** A window of an old house in the evening, with the star lantern in it. */
function windows() {
  const panes = [];
  for (let row = 0; row < 5; row += 1)
    for (let column = 0; column < 4; column += 1) {
      const light = [1, 0.82, 0.94, 0.7, 0.88, 0.76][(row * 3 + column * 5) % 6];
      panes.push(
        `<rect x="${column * 42 - 82}" y="${row * 38 - 92}" width="37" height="33" rx="4" opacity="${light}"/>`,
      );
    }
  const posts = Array.from(
    { length: 9 },
    (_, i) => `<rect x="${i * 20 - 84}" y="106" width="9" height="26" rx="4"/>`,
  );
  const frame = `<path d="M-100 140v-196q0-72 100-72t100 72v196z" transform="translate(4 8)" opacity=".35"/><path d="M-102 138v-194q0-72 102-72t102 72v194z" fill="url(#wood)"/><path d="M-88 100v-152q0-58 88-58t88 58v152z" fill="url(#night)"/>`;
  const fan = `<path d="M-82-58q0-42 40-47v47zM-38-58v-48q18-3 35-3v51zM3-58v-51q18 0 35 3v48zM42-58v-47q40 5 40 47z" fill="url(#pane)"/>`;
  const bars = `<path d="M-4-108h8v208h-8z" fill="#4b2a17"/><path d="M-108 98h216v10h-216zM-110 132h220v12h-220z" fill="url(#brass)"/>`;
  const ray = (turn) =>
    `<path d="M0-62l15 42-15 10-15-10z" transform="rotate(${turn})" fill="url(#${turn % 144 ? "red" : "brass"})" stroke="#fff" stroke-width="2.5" stroke-linejoin="round"/>`;
  const lantern = `<circle r="104" fill="url(#lamp)"/><path d="M0-120v60" stroke="#fff3cf" stroke-width="3"/><path d="M-24 38l-8 50M24 38l8 50M-18 40l-8 50M18 40l8 50M-30 36l-10 46M30 36l10 46" stroke="#ffd98a" stroke-width="4" stroke-linecap="round"/><circle r="54" fill="none" stroke="#fff" stroke-width="6"/><circle r="54" fill="none" stroke="#e2573c" stroke-width="6" stroke-dasharray="14 14.3"/>${[0, 72, 144, 216, 288].map(ray).join("")}${orb(17, "gold")}`;
  return `${frame}<g fill="url(#pane)">${panes.slice(4).join("")}</g>${fan}<g fill="url(#sand)">${posts.join("")}</g>${bars}${at(0, 6, lantern)}${spark(-104, -100, 1)}${spark(106, -64, 0.8)}`;
}

/** The corner shop: three reels under its awning. */
function sari(c) {
  const stripes = Array.from({ length: 7 }, (_, i) => {
    const x = i * 34 - 119;
    const paint = i % 2 ? "paper" : "red";
    return `<path d="M${x} -58v14a17 17 0 0 0 34 0v-14l${n((-x - 17) * 0.14)}-56h-34z" fill="url(#${paint})"/>`;
  });
  const ink = { ...c, pop: "#f6a81c", body: "#e4572e", ink: "#3d2412", pale: "#fffaf0" };
  const fruit = ["mango", "jeep", "citrus"].map((name, i) =>
    at(
      (i - 1) * 67,
      14,
      `<rect x="-29" y="-44" width="58" height="88" rx="8" fill="url(#paper)"/><rect x="-29" y="-44" width="58" height="88" rx="8" fill="none" stroke="#7a4a1d" stroke-width="4"/><path d="M-27-42h54v17h-54zM-27 25h54v17h-54z" fill="#5a3413" opacity=".16"/><g transform="scale(${name === "jeep" ? ".56" : ".52"})">${SYMBOLS[name](name === "jeep" ? { ...ink, pop: "#12a08f", body: "#ffc43d" } : ink)}</g>`,
    ),
  );
  const shop = `<rect x="-112" y="-52" width="224" height="172" rx="6" transform="translate(3 7)" opacity=".35"/><rect x="-112" y="-62" width="224" height="178" rx="6" fill="url(#wood)"/><rect x="-104" y="-40" width="208" height="106" rx="6" fill="#1f120a"/>`;
  const counter = `<rect x="-122" y="66" width="244" height="18" rx="5" fill="url(#brass)"/><path d="M-112 84h224v10h-224z" opacity=".3"/>`;
  const jar = (x, paint) =>
    at(
      x,
      46,
      `<path d="M-17 20v-26q0-8 8-8h18q8 0 8 8v26z" fill="#fff" fill-opacity=".4" stroke="#fff" stroke-width="2.5"/><path d="M-10 14h0M0 14h0M10 14h0M-6 5h0M6 5h0M0-4h0" stroke="${paint}" stroke-width="10" stroke-linecap="round"/><rect x="-13" y="-21" width="26" height="8" rx="3" fill="url(#red)"/>`,
    );
  const lamp = `<path d="M-96 94h192v14h-192z" fill="url(#sand)" opacity=".9"/>`;
  return `${ground(122, 120)}${shop}${fruit.join("")}${counter}${lamp}${jar(-97, "#ff5f8d")}${jar(97, "#7ccf5a")}<path d="M-121-50h246v16h-246z" opacity=".25"/>${stripes.join("")}${spark(-100, -118, 1)}${spark(116, -84, 0.8)}`;
}

/** Drum, bunting and fireworks of the town's feast. */
function fiesta(c) {
  // Flags of one colour are one path, and strings reach over the edges of a wide picture.
  const bunting = (y, sag) => {
    const paints = { brass: "", sea: "", paper: "" };
    for (let i = -7; i <= 7; i += 1) {
      const drop = sag * (1 - (i / 4) ** 2);
      paints[["brass", "sea", "paper"][(i + 9) % 3]] += `M${i * 38 - 15} ${n(y + drop)}h30l-15 34z`;
    }
    const flags = Object.entries(paints).map(
      ([paint, d]) => `<path d="${d}" fill="url(#${paint})"/>`,
    );
    return `<path d="M-290 ${n(y + sag * (1 - (290 / 152) ** 2))}Q0 ${n(y + sag * (1 + (290 / 152) ** 2))} 290 ${n(y + sag * (1 - (290 / 152) ** 2))}" fill="none" stroke="#fff" stroke-width="3"/>${flags.join("")}`;
  };
  const rays = Array.from({ length: 12 }, (_, i) => ray(i * 30, i % 2 ? 30 : 42)).join("");
  const burst = (x, y, size, color) =>
    at(
      x,
      y,
      `<path d="${rays}" stroke="${color}" stroke-width="5" stroke-linecap="round"/>`,
      0,
      size,
    );
  const body = `<path d="M-82-34v92q82 46 164 0v-92z" transform="translate(3 8)" opacity=".32"/><path d="M-82-36v92q82 46 164 0v-92z" fill="url(#red)"/><path d="M-82-20l27 84 28-64 27 76 27-76 28 64 27-84" fill="none" stroke="#ffe9b8" stroke-width="6" stroke-linejoin="round"/><path d="M-84 44q84 46 168 0v18q-84 46-168 0z" fill="url(#brass)"/><path d="M-84-36q84 46 168 0v16q-84 46-168 0z" fill="url(#brass)"/><ellipse cy="-36" rx="84" ry="31" fill="url(#brass)"/><ellipse cy="-38" rx="74" ry="25" fill="url(#paper)"/>`;
  const stick = `<path d="M0 0v-92" stroke="#5a3413" stroke-width="10" stroke-linecap="round"/><path d="M-2 0v-92" stroke="#d39a56" stroke-width="5" stroke-linecap="round"/>${orb(13, "coral")}`;
  return `${ground(112, 112)}${burst(-96, -34, 1, "#ffd54a")}${burst(102, -22, 0.85, "#9be7ff")}${bunting(-126, 12)}${bunting(-84, 6)}${at(0, 26, body)}${at(-22, -14, stick, -34)}${at(24, -8, stick, 40)}<path d="M-118 40l12 6M-104 78l6-12M112 46l-10 8M122 84l-12-4M-128 4l4 12M132 10l-8 8" stroke="${c.pale}" stroke-width="7" stroke-linecap="round"/>${spark(0, -58, 0.9)}`;
}

/** One ray of a firework. */
function ray(degrees, far) {
  const angle = (degrees * Math.PI) / 180;
  const [x, y] = [Math.sin(angle), -Math.cos(angle)];
  return `M${n(x * 14)} ${n(y * 14)}L${n(x * far)} ${n(y * far)}`;
}
