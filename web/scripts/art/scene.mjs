import { colorDistance } from "./color.mjs";
import { LATTICE_NAMES } from "./lattice.mjs";
import { PLATES, PLATE_NAMES, plateColor } from "./plates.mjs";
import { FAMILIES, FAMILY_NAMES } from "./props/families.mjs";
import { HOUSE } from "./props/house.mjs";
import { THINGS } from "./props/things.mjs";
import { hash, random } from "./random.mjs";

/** Games whose look was chosen by hand; the rest follows from the hash of the code. */
const CHOSEN = {
  dice: { plate: "lumot", lattice: "square" },
  limbo: { plate: "langit", lattice: "chevron" },
  mines: { plate: "gabi", lattice: "caning" },
  plinko: { plate: "santan", lattice: "hex" },
  hilo: { plate: "dahon", lattice: "diamond" },
  wheel: { plate: "lupa", lattice: "fan" },
  keno: { plate: "dayap", lattice: "round" },
  scratch: { plate: "perlas", lattice: "brick" },
  reef: { plate: "dagat", lattice: "round" },
  windows: { plate: "ube", lattice: "square" },
  sari: { plate: "mangga", lattice: "brick" },
  fiesta: { plate: "sili", lattice: "diamond" },
};

/** Tiles closer than this could be mistaken for each other. */
export const MIN_DISTANCE = 1;

/**
 * What a tile shows, as numbers and names: enough to draw it and to compare it with another one.
 * An entry of the list is a code, or a code with its family.
 */
export function scene(entry, salt = 0) {
  const { code, family } = typeof entry === "string" ? { code: entry } : entry;
  const seed = hash(salt ? `${code}#${salt}` : code);
  const r = random(seed);
  const house = code in HOUSE;
  const chosen = CHOSEN[code] ?? { plate: r.pick(PLATE_NAMES), lattice: r.pick(LATTICE_NAMES) };
  const kind = house ? code : (family ?? r.pick(FAMILY_NAMES));
  return { code, seed, ...chosen, kind, prop: drawProp(kind, seed, {}).name };
}

/** The prop of a scene in the colours `c`, and its name: kind, layout and symbols. */
export function drawProp(kind, seed, c) {
  const r = random(seed ^ 0x5bd1e995);
  if (kind in HOUSE) return { name: kind, svg: HOUSE[kind](c, r) };
  if (kind in THINGS) return { name: kind, svg: THINGS[kind](c, r) };
  return FAMILIES[kind](c, r);
}

/**
 * Scenes for a list, in its order. A scene too close to an earlier one is drawn again with a salt, so
 * that a new game never changes the picture of an old one.
 */
export function scenes(entries) {
  const done = [];
  for (const entry of entries) {
    let salt = 0;
    let next = scene(entry);
    while (done.some((other) => distance(next, other) < MIN_DISTANCE)) {
      salt += 1;
      if (salt > 200)
        throw new Error(`no free look for ${next.code}: add plates, lattices or props`);
      next = scene(entry, salt);
    }
    done.push(next);
  }
  return done;
}

/**
 * How far two tiles are apart. The parts are what the eye sees first: colour of the panes and of the
 * lit ones, shape of the lattice, shape of the prop. Any one of them clearly different gives 1.
 */
export function distance(one, two) {
  const panes = [0.15, 0.5, 0.9].reduce(
    (sum, t) => sum + colorDistance(plateColor(one.plate, t), plateColor(two.plate, t)) / 3,
    0,
  );
  const spark = colorDistance(PLATES[one.plate].spark, PLATES[two.plate].spark);
  const lattice = one.lattice === two.lattice ? 0 : 0.4;
  return 5 * panes + spark + lattice + propDistance(one.prop, two.prop);
}

/** Layouts whose first symbol fills the tile; in the others the eye sees the family first. */
const TELLING = new Set(["reels", "medal", "fan", "tower", "sports"]);

function propDistance(one, two) {
  const [kind, first] = one.split(":");
  const [otherKind, otherFirst] = two.split(":");
  if (kind !== otherKind) return 1;
  if (first === otherFirst) return 0;
  return TELLING.has(kind) ? 0.6 : 0.2;
}
