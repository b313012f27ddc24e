/**
 * The colours a tile can have. `dark` to `light` is the run of the panes in OKLCH (their hues differ
 * a little, so that the shell shimmers), `spark` a few lit panes, `prop` the colour of the prop's ink.
 */
export const PLATES = {
  lumot: {
    dark: [0.27, 0.06, 205],
    light: [0.88, 0.1, 175],
    spark: [0.87, 0.14, 85],
    ink: [0.33, 0.09, 205],
  },
  mangga: {
    dark: [0.36, 0.08, 70],
    light: [0.87, 0.15, 95],
    spark: [0.96, 0.07, 100],
    ink: [0.42, 0.12, 60],
  },
  sili: {
    dark: [0.28, 0.11, 22],
    light: [0.71, 0.19, 38],
    spark: [0.87, 0.12, 70],
    ink: [0.42, 0.17, 27],
  },
  dagat: {
    dark: [0.22, 0.09, 262],
    light: [0.66, 0.14, 238],
    spark: [0.9, 0.08, 205],
    ink: [0.36, 0.14, 258],
  },
  santan: {
    dark: [0.27, 0.11, 352],
    light: [0.72, 0.18, 2],
    spark: [0.9, 0.08, 20],
    ink: [0.42, 0.17, 355],
  },
  dahon: {
    dark: [0.25, 0.07, 152],
    light: [0.76, 0.16, 142],
    spark: [0.93, 0.12, 115],
    ink: [0.38, 0.11, 150],
  },
  dayap: {
    dark: [0.37, 0.09, 128],
    light: [0.9, 0.18, 118],
    spark: [0.98, 0.06, 110],
    ink: [0.42, 0.11, 135],
  },
  ube: {
    dark: [0.24, 0.1, 318],
    light: [0.69, 0.14, 322],
    spark: [0.9, 0.07, 340],
    ink: [0.38, 0.15, 320],
  },
  lupa: {
    dark: [0.29, 0.07, 45],
    light: [0.75, 0.13, 58],
    spark: [0.92, 0.07, 80],
    ink: [0.4, 0.11, 45],
  },
  perlas: {
    dark: [0.6, 0.02, 80],
    light: [0.95, 0.02, 95],
    spark: [0.9, 0.07, 60],
    ink: [0.38, 0.05, 60],
  },
  gabi: {
    dark: [0.16, 0.02, 185],
    light: [0.42, 0.035, 180],
    spark: [0.83, 0.165, 78],
    ink: [0.25, 0.04, 180],
  },
  langit: {
    dark: [0.48, 0.09, 232],
    light: [0.89, 0.08, 215],
    spark: [0.98, 0.03, 110],
    ink: [0.4, 0.1, 240],
  },
};

export const PLATE_NAMES = Object.keys(PLATES);

/** The colour at `t` (0 dark … 1 light) of a plate's run. */
export function plateColor(plate, t) {
  const { dark, light } = PLATES[plate];
  let turn = light[2] - dark[2];
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  return [
    dark[0] + (light[0] - dark[0]) * t,
    dark[1] + (light[1] - dark[1]) * t,
    (dark[2] + turn * t + 360) % 360,
  ];
}
