import { list, n, star } from "../svg.mjs";
import { SUITS, at, card, ground, onCircle, orb, scallop, spark } from "./shapes.mjs";
import { SYMBOLS } from "./symbols.mjs";

/** Props of banners and promotions: things and not games, in a box of about ±120. */
export const THINGS = {
  lens,
  gift,
  coins,
  padlock,
  key,
  phone,
  purse,
  crown,
  pearls,
  ball,
  buoy,
  hand,
  chips,
  school,
  drum,
  reels,
};

const NIGHT = "#17201f";
const BROWN = "#6b3a10";

const peso = `<path d="M-6 17v-34h8q11 0 11 10t-11 10h-8M-14-10h32M-14-3h32" fill="none" stroke="${BROWN}" stroke-width="5"/>`;

/** A coin of the house. */
function coin(size) {
  return `${orb(size, "gold")}<circle r="${n(size * 0.74)}" fill="none" stroke="${BROWN}" stroke-width="3" opacity=".55"/><g transform="scale(${n(size / 32)})">${peso}</g>`;
}

/** A magnifying glass over panes: whoever looks sees that they are right. */
function lens() {
  const panes = [];
  for (let y = -2; y <= 1; y += 1)
    for (let x = -2; x <= 1; x += 1) {
      const paint = (x * 5 + y * 3 + 20) % 4 === 0 ? "brass" : "sea";
      panes.push(
        `<rect x="${x * 46 + 3}" y="${y * 46 + 3}" width="40" height="40" rx="6" fill="url(#${paint})" opacity="${[0.95, 0.75, 0.85][(x + y + 8) % 3]}"/>`,
      );
    }
  const handle = `<path d="M62 62l62 62" stroke="#000" stroke-opacity=".3" stroke-width="30" stroke-linecap="round" transform="translate(3 8)"/><path d="M62 62l62 62" stroke="${NIGHT}" stroke-width="30" stroke-linecap="round"/><path d="M70 62l52 52" stroke="#fff" stroke-opacity=".28" stroke-width="7" stroke-linecap="round"/>`;
  const glass = `<circle cy="7" r="94" opacity=".28"/><circle r="92" fill="#0f2f2b"/><clipPath id="glass"><circle r="84"/></clipPath><g clip-path="url(#glass)">${panes.join("")}</g><circle r="88" fill="none" stroke="url(#brass)" stroke-width="14"/>`;
  const tick = `<path d="M-38 4l26 28 50-60" fill="none" stroke="${NIGHT}" stroke-opacity=".55" stroke-width="28" stroke-linecap="round" stroke-linejoin="round"/><path d="M-38 2l26 28 50-60" fill="none" stroke="#fff" stroke-width="18" stroke-linecap="round" stroke-linejoin="round"/>`;
  const shine = `<path d="M-70-26a76 76 0 0 1 52-46" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round" opacity=".75"/>`;
  return `${at(-14, -14, `${handle}${glass}${tick}${shine}`)}${spark(-112, 60, 1)}${spark(92, -88, 1.1)}`;
}

/** A box with a bow, and what shines out of it. */
function gift() {
  const box = `<rect x="-84" y="-14" width="168" height="124" rx="8" transform="translate(3 8)" opacity=".3"/><rect x="-84" y="-14" width="168" height="124" rx="8" fill="url(#red)"/><rect x="-16" y="-14" width="32" height="124" fill="url(#brass)"/>`;
  const lid = `<rect x="-96" y="-48" width="192" height="42" rx="8" fill="url(#coral)"/><rect x="-18" y="-48" width="36" height="42" fill="url(#brass)"/><path d="M-84-6h168v10h-168z" opacity=".2"/>`;
  const bow = `<path d="M0-48c-16-52-76-62-78-30-2 26 44 34 78 30zM0-48c16-52 76-62 78-30 2 26-44 34-78 30z" fill="url(#brass)" stroke="#fff" stroke-opacity=".7" stroke-width="3"/><circle cy="-50" r="15" fill="url(#gold)"/>`;
  return `${ground(116, 110)}${box}${lid}${bow}${at(-102, 82, coin(28), -12)}${at(106, 86, coin(24), 14)}${spark(-104, -82, 1)}${spark(104, -70, 1.2)}`;
}

/** Coins that come back. */
function coins() {
  const stack = (x, count) =>
    Array.from({ length: count }, (_, i) =>
      at(
        x,
        92 - i * 19,
        `<ellipse cy="8" rx="44" ry="15" fill="${BROWN}"/><ellipse rx="44" ry="15" fill="url(#brass)"/><ellipse rx="33" ry="10" fill="none" stroke="${BROWN}" stroke-opacity=".5" stroke-width="3"/>`,
      ),
    ).join("");
  const arrow = `<path d="M-84-16a88 88 0 0 1 160-34" fill="none" stroke="#fff" stroke-width="15" stroke-linecap="round"/><path d="M88-86l-2 52-46-24z" fill="#fff" stroke="#fff" stroke-width="8" stroke-linejoin="round"/>`;
  return `${ground(126, 112)}${arrow}${stack(-62, 3)}${stack(62, 5)}${stack(2, 2)}${at(-4, 8, coin(38), -10)}${spark(-106, -70, 1)}${spark(112, 34, 0.8)}`;
}

/** A lock whose body is a window of panes. */
function padlock() {
  const bow = `<path d="M-50-8v-42a50 50 0 0 1 100 0v42" fill="none" stroke="${NIGHT}" stroke-opacity=".4" stroke-width="30"/><path d="M-50-10v-42a50 50 0 0 1 100 0v42" fill="none" stroke="url(#paper)" stroke-width="22"/>`;
  const body = `<rect x="-86" y="-18" width="172" height="134" rx="20" transform="translate(3 8)" opacity=".3"/><rect x="-86" y="-18" width="172" height="134" rx="20" fill="url(#brass)"/>`;
  const panes = [0, 1, 2, 3, 4, 5].map(
    (i) =>
      `<rect x="${(i % 3) * 50 - 73}" y="${Math.floor(i / 3) * 54 - 4}" width="46" height="50" rx="7" fill="url(#${i % 2 ? "sea" : "sand"})" opacity="${i % 3 ? 0.9 : 1}"/>`,
  );
  const hole = `<circle cy="40" r="20" fill="${NIGHT}"/><path d="M-9 44h18l7 38h-32z" fill="${NIGHT}"/>`;
  return `${ground(104, 116)}${bow}${body}${panes.join("")}${hole}${spark(-106, -44, 1)}${spark(102, -76, 0.9)}`;
}

/** A key whose bow is a shell. */
function key() {
  const shell = `${scallop(78, 318, 11, "shell", "#7c2b4a")}${at(0, -6, orb(24, "pearl"))}`;
  const shaft = `<path d="M0 6v106M0 66h34M0 98h26" stroke="${NIGHT}" stroke-opacity=".35" stroke-width="24" stroke-linecap="round" transform="translate(3 7)"/><path d="M0 6v106M0 66h34M0 98h26" stroke="url(#bar)" stroke-width="19" stroke-linecap="round" fill="none"/>`;
  return `${at(-6, 4, `${shaft}${shell}`, 38, 1.06)}${spark(-96, 62, 1)}${spark(112, -66, 1)}${spark(-84, -96, 0.7)}`;
}

/** A telephone with the house's window on it. */
function phone() {
  const body = `<rect x="-64" y="-122" width="128" height="238" rx="22" transform="translate(4 9)" opacity=".32"/><rect x="-64" y="-122" width="128" height="238" rx="22" fill="${NIGHT}" stroke="#fff" stroke-opacity=".5" stroke-width="3"/><rect x="-53" y="-108" width="106" height="210" rx="12" fill="url(#night)"/>`;
  const mark = `<path d="M-36-76h34v34h-34zM2-38h34v34h-34zM-36-38h34v34h-34z" fill="#a9dcc3"/><path d="M2-76h20a14 14 0 0 1 14 14v20h-34z" fill="url(#gold)"/>`;
  const down = `<path d="M0 18v44M-22 44l22 22 22-22M-30 84h60" fill="none" stroke="#fff" stroke-width="11" stroke-linecap="round" stroke-linejoin="round"/>`;
  return `${ground(92, 116)}${at(0, 0, `${body}${mark}${down}`, 7)}${spark(-96, -62, 1.1)}${spark(100, 40, 0.9)}`;
}

/** A woven purse with coins that go in. */
function purse() {
  const weave = [];
  for (let row = 0; row < 4; row += 1)
    for (let i = 0; i < 6; i += 1)
      weave.push(
        `<rect x="${i * 32 - 96 + (row % 2) * 5}" y="${row * 28 - 6}" width="27" height="22" rx="5" fill="url(#${(i + row) % 2 ? "sand" : "brass"})"/>`,
      );
  const bag = `<path d="M-106-16h212v100q0 34-34 34h-144q-34 0-34-34z" transform="translate(3 7)" opacity=".3"/><clipPath id="bag"><path d="M-106-16h212v100q0 34-34 34h-144q-34 0-34-34z"/></clipPath><path d="M-106-16h212v100q0 34-34 34h-144q-34 0-34-34z" fill="url(#wood)"/><g clip-path="url(#bag)">${weave.join("")}</g>`;
  const grip = `<path d="M-62-24v-34a62 62 0 0 1 124 0v34" fill="none" stroke="url(#paper)" stroke-width="13"/>`;
  const rim = `<rect x="-114" y="-30" width="228" height="26" rx="11" fill="url(#red)"/>`;
  return `${ground(116, 118)}${grip}${at(-34, -48, coin(33), -14)}${at(36, -64, coin(34), 12)}${bag}${rim}${at(0, 46, orb(22, "pearl"))}${spark(-92, -104, 0.9)}${spark(104, -52, 1)}`;
}

/** The crown of a rank. */
function crown() {
  const body = `<path d="M-100 62l-16-128 60 50 56-92 56 92 60-50-16 128z" transform="translate(3 8)" opacity=".3"/><path d="M-100 62l-16-128 60 50 56-92 56 92 60-50-16 128z" fill="url(#brass)" stroke="#fff" stroke-opacity=".6" stroke-width="4" stroke-linejoin="round"/><path d="M-100 62h200v28q-100 26-200 0z" fill="url(#red)"/>`;
  const tips = [
    [-116, -70, "coral"],
    [0, -112, "pearl"],
    [116, -70, "aqua"],
  ].map(([x, y, paint]) => at(x, y, orb(15, paint)));
  const stones = `${at(0, 24, orb(24, "aqua"))}${at(-58, 32, orb(15, "coral"))}${at(58, 32, orb(15, "leaf"))}`;
  return `${ground(112, 106)}${body}${stones}${tips.join("")}${spark(-70, -92, 0.9)}${spark(70, -100, 1)}`;
}

/** Pearls in an open shell: what is saved does not spoil. */
function pearls() {
  const line = "#7c2b4a";
  const upper = scallop(116, 132, 7, "shell", line);
  const lower = `<g transform="scale(1-.5)">${scallop(120, 138, 7, "shell", line)}</g><ellipse cy="2" rx="100" ry="27" fill="url(#inner)" stroke="${line}" stroke-width="3"/>`;
  const heap = [
    [-52, 30, 22, "pearl"],
    [50, 32, 21, "pearl"],
    [-20, 34, 25, "gold"],
    [22, 30, 24, "pearl"],
    [0, 6, 25, "aqua"],
  ].map(([x, y, size, paint]) => at(x, y, orb(size, paint)));
  return `${ground(120, 116)}${at(0, 54, upper)}${at(0, 62, lower)}${heap.join("")}${spark(-104, -62, 1)}${spark(102, -74, 1.1)}`;
}

/** A football in the air. */
function ball() {
  const patches = [0, 72, 144, 216, 288].map((turn) => {
    const [x, y] = onCircle(78, turn);
    return `<path d="${star(5, 30, 30, turn + 90)}" transform="translate(${list(x, y)})" fill="${NIGHT}"/>`;
  });
  const seams = [0, 72, 144, 216, 288].map((turn) => {
    const [[x, y], [u, v]] = [onCircle(30, turn), onCircle(54, turn)];
    return `M${list(x, y)}L${list(u, v)}`;
  });
  const skin = `<circle cy="9" r="92" opacity=".3"/><clipPath id="skin"><circle r="90"/></clipPath><circle r="90" fill="url(#pearl)"/><g clip-path="url(#skin)"><path d="${star(5, 33)}" fill="${NIGHT}"/><path d="${seams.join("")}" stroke="${NIGHT}" stroke-width="5"/>${patches.join("")}</g>`;
  const speed = `<path d="M-126-30h-40M-122 0h-66M-126 30h-34" stroke="#fff" stroke-width="9" stroke-linecap="round" opacity=".7"/>`;
  return `${ground(92, 116)}${speed}${at(0, 0, skin, 16)}<path d="M-66-34a74 74 0 0 1 50-40" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round" opacity=".8"/>${spark(108, -70, 1.1)}`;
}

/** A lifebuoy. */
function buoy() {
  const [x, y] = onCircle(104, 22);
  const [u, v] = onCircle(46, 22);
  const band = `M${list(-x, y)}A104 104 0 0 1 ${list(x, y)}L${list(u, v)}A46 46 0 0 0 ${list(-u, v)}z`;
  const bands = [45, 135, 225, 315].map(
    (turn) => `<path d="${band}" transform="rotate(${turn})" fill="url(#red)"/>`,
  );
  const rope = [0, 90, 180, 270].map(
    (turn) =>
      `<path d="M-82-82q82-62 164 0" transform="rotate(${turn})" fill="none" stroke="url(#brass)" stroke-width="8"/>`,
  );
  const ring = `<circle cy="9" r="75" fill="none" stroke="#000" stroke-opacity=".28" stroke-width="60"/>${rope.join("")}<circle r="75" fill="none" stroke="#fffaf0" stroke-width="58"/>${bands.join("")}`;
  const light = `<path d="M-82-50a96 96 0 0 1 62-44" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round" opacity=".75"/>`;
  return `${ring}${light}${spark(104, -92, 1.1)}${spark(-116, 70, 0.9)}`;
}

/** Three cards in the hand. */
function hand(c) {
  const face = (suit, fill) =>
    card(
      108,
      154,
      c,
      `<path d="${SUITS[suit]}" fill="${fill}" transform="scale(1.5)"/><path d="${SUITS[suit]}" fill="${fill}" transform="translate(-36-56)scale(.42)"/><path d="${SUITS[suit]}" fill="${fill}" transform="translate(36 56)rotate(180)scale(.42)"/>`,
      "url(#paper)",
    );
  return `${ground(116, 112)}${at(-62, 14, face("spade", NIGHT), -20)}${at(62, 14, face("club", NIGHT), 20)}${at(0, -8, face("heart", "url(#coral)"))}${spark(-116, -82, 1)}${spark(116, -82, 1)}`;
}

/** Chips of a table, in piles. */
function chips() {
  const chip = (paint) =>
    `<circle cx="2" cy="7" r="52" opacity=".3"/><circle r="52" fill="url(#${paint})"/><circle r="44" fill="none" stroke="#fff" stroke-width="13" stroke-dasharray="17.3 17.3"/><circle r="31" fill="#fff"/><circle r="25" fill="url(#${paint})"/>`;
  return `${ground(120, 112)}${at(-64, 48, chip("sea"), 14)}${at(66, 44, chip("red"), 30)}${at(0, -34, `${chip("brass")}<path d="${SUITS.diamond}" fill="#fff" transform="scale(.62)"/>`, 0, 1.3)}${spark(-104, -66, 1)}${spark(108, -60, 0.9)}`;
}

/** Fish around a pearl. */
function school() {
  const fish = (pop, ink) => SYMBOLS.fish({ pop, ink, pale: "#fff" });
  const bubbles = [
    [-104, -84, 10],
    [-86, -108, 6],
    [104, -96, 12],
    [118, 60, 8],
    [-112, 78, 7],
  ].map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}"/>`);
  return `<g fill="#fff" fill-opacity=".18" stroke="#fff" stroke-width="3" opacity=".85">${bubbles.join("")}</g>${at(-8, -18, fish("#ffb02e", "#7a2b00"), -8, 2.1)}${at(-66, 80, fish("#ff7d5c", "#6b1f12"), 10, 0.9)}${at(70, 82, fish("#ffe08a", "#7a4a00"), -12, 0.8)}${at(118, -14, orb(16, "pearl"))}${spark(20, -104, 0.9)}`;
}

/** Numbered balls without numbers: what is drawn nobody knows yet. */
function drum() {
  const place = [
    [-58, -40, 36, "aqua"],
    [8, -72, 34, "coral"],
    [66, -30, 35, "gold"],
    [-74, 34, 33, "leaf"],
    [62, 48, 36, "coral"],
    [-4, 14, 42, "pearl"],
    [-14, 78, 33, "gold"],
  ];
  const balls = place.map(([x, y, size, paint]) =>
    at(
      x,
      y,
      orb(
        size,
        paint,
        `<circle r="${n(size * 0.56)}" fill="url(#paper)"/><path d="${star(5, size * 0.36, size * 0.15)}" fill="url(#brass)"/>`,
      ),
    ),
  );
  const glass = `<circle cy="8" r="124" opacity=".25"/><circle r="122" fill="#fff" fill-opacity=".3"/>`;
  const cage = `<circle r="122" fill="none" stroke="url(#brass)" stroke-width="9"/><ellipse rx="60" ry="122" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="3"/><path d="M-122 0h244" stroke="#fff" stroke-opacity=".6" stroke-width="3"/>`;
  return `${ground(104, 126)}${glass}${balls.join("")}${cage}<path d="M-92-52a106 106 0 0 1 60-48" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round" opacity=".8"/>`;
}

/** Three reels that stand alike. */
function reels(c) {
  const ink = { ...c, pop: "#f6a81c", body: "#e4572e", ink: "#3d2412", pale: "#fffaf0" };
  const strips = [-1, 0, 1].map((i) =>
    at(
      i * 72,
      0,
      `<rect x="-33" y="-66" width="66" height="132" rx="9" fill="url(#paper)"/><g transform="scale(.66)">${SYMBOLS.sun(ink)}</g><path d="M-33-66h66v22h-66zM-33 44h66v22h-66z" fill="#5a3413" opacity=".22"/>`,
    ),
  );
  const frame = `<rect x="-124" y="-92" width="248" height="184" rx="22" transform="translate(3 8)" opacity=".32"/><rect x="-124" y="-92" width="248" height="184" rx="22" fill="url(#red)"/><rect x="-114" y="-82" width="228" height="164" rx="15" fill="#2a1010"/>`;
  const lamps = [-96, -48, 0, 48, 96].map((x) => `M${x}-87h0M${x} 87h0`);
  return `${ground(118, 112)}${frame}${strips.join("")}<path d="${lamps.join("")}" stroke="#ffe9a8" stroke-width="9" stroke-linecap="round"/><path d="M-118 0h236" stroke="#fff" stroke-opacity=".85" stroke-width="4" stroke-dasharray="10 9"/>${spark(-112, -104, 1)}${spark(114, -98, 1)}`;
}
