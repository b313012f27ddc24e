import { fiestaArt } from "../art/fiesta";
import { bunting, lamp, scattered, shape, sky } from "../paint";
import type { Mood, Style, Tone } from "../style";

function tone({ theme, free }: Mood): Tone {
  const isDark = theme === "dark";
  return {
    board: isDark ? (free ? "#3a0d33" : "#141236") : free ? "#ffd3e2" : "#cfdcf5",
    pane: isDark
      ? free
        ? ["#7a2260", "#501543"]
        : ["#35307a", "#231f58"]
      : free
        ? ["#fff6fa", "#ffe0ec"]
        : ["#fbfdff", "#e4ecfb"],
    ring: isDark ? "rgb(255 255 255 / 0.08)" : "rgb(60 60 140 / 0.1)",
    frame: free ? ["#ffd54a", "#e8890c"] : ["#ff6b9a", "#a3266a"],
    edge: free ? "#fff6d2" : "#ffd86b",
    glow: free ? 0xffe14d : isDark ? 0xffd24a : 0xff7a1a,
    finish: {
      contour: "#24102b",
      light: "rgb(255 255 255 / 0.26)",
      shade: "rgb(50 0 60 / 0.3)",
    },
  };
}

const FLAGS = ["#ff5d73", "#ffd43b", "#4dabf7", "#51cf66", "#f783ac", "#ff922b"] as const;
const SKIES: Readonly<
  Record<Mood["theme"], Readonly<Record<"plain" | "free", readonly string[]>>>
> = {
  dark: { plain: ["#0f1240", "#2d1f63", "#7a3a6b"], free: ["#2a0636", "#7a1450", "#e0562f"] },
  light: { plain: ["#6fc3f5", "#a8dcf7", "#fdeac4"], free: ["#ffb2c8", "#ffd0a8", "#fff0b3"] },
};

/** The plaza: church and houses at the far side, flags over everything, and lights when it is dark. */
const backdrop: Style["backdrop"] = (pen, _, width, height, { theme, free }) => {
  const isDark = theme === "dark";
  sky(pen, width, height, SKIES[theme][free ? "free" : "plain"]);
  if (free) for (let i = 0; i < 5; i += 1) firework(pen, width, height, i);
  lamp(
    pen,
    width / 2,
    height,
    height * 0.8,
    isDark ? "255 170 90" : "255 250 225",
    isDark ? 0.45 : 0.6,
  );
  town(pen, width, height, isDark ? "rgb(16 8 44 / 0.78)" : "rgb(120 92 140 / 0.42)");
  const size = Math.max(13, Math.min(24, width / 46));
  const middle = width / 2;
  bunting(pen, [-10, height * 0.01], [middle, height * 0.09], height * 0.09, size, FLAGS);
  bunting(pen, [middle, height * 0.09], [width + 10, height * 0.01], height * 0.09, size, FLAGS);
  bunting(pen, [-10, height * 0.3], [width * 0.32, -10], height * 0.06, size * 0.85, FLAGS);
  bunting(pen, [width * 0.68, -10], [width + 10, height * 0.3], height * 0.06, size * 0.85, FLAGS);
};

type Pen = CanvasRenderingContext2D;

function town(pen: Pen, width: number, height: number, colour: string): void {
  const base = height;
  const unit = Math.max(26, Math.min(width, height) * 0.1);
  for (let i = 0, x = -unit * 0.4; x < width; i += 1) {
    const wide = unit * (0.9 + scattered(i, 1) * 0.8);
    const high = unit * (0.8 + scattered(i, 2) * 0.9);
    shape(
      pen,
      [
        [x, base],
        [x, base - high],
        [x + wide / 2, base - high - unit * 0.45],
        [x + wide, base - high],
        [x + wide, base],
      ],
      colour,
    );
    x += wide + 2;
  }
  church(pen, width * 0.08, base, unit * 1.15, colour);
  church(pen, width * 0.92, base, unit * 1.15, colour);
}

function church(pen: Pen, x: number, base: number, unit: number, colour: string): void {
  shape(
    pen,
    [
      [x - unit * 0.5, base],
      [x - unit * 0.5, base - unit * 2.1],
      [x, base - unit * 3.1],
      [x + unit * 0.5, base - unit * 2.1],
      [x + unit * 0.5, base],
    ],
    colour,
  );
  pen.fillStyle = colour;
  pen.fillRect(x - 1.5, base - unit * 3.6, 3, unit * 0.55);
  pen.fillRect(x - unit * 0.16, base - unit * 3.42, unit * 0.32, 3);
}

function firework(pen: Pen, width: number, height: number, i: number): void {
  const [x, y] = [width * (0.08 + 0.21 * i), height * (0.1 + 0.3 * scattered(i, 7))];
  const radius = Math.min(width, height) * (0.07 + 0.06 * scattered(i, 8));
  pen.strokeStyle = FLAGS[(i * 2 + 1) % FLAGS.length] ?? FLAGS[0];
  pen.lineWidth = 2;
  pen.lineCap = "round";
  for (let ray = 0; ray < 14; ray += 1) {
    const angle = (ray / 14) * Math.PI * 2;
    pen.beginPath();
    pen.moveTo(x + Math.cos(angle) * radius * 0.4, y + Math.sin(angle) * radius * 0.4);
    pen.lineTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
    pen.stroke();
  }
}

export const fiestaStyle: Style = {
  art: fiestaArt,
  bits: FLAGS.slice(0, 5).map((colour, i) => ({
    box: [0, 0, 32],
    layers: i % 2 === 0 ? [[colour, "M6 10h20v12H6Z"]] : [[colour, "M16 4l12 20H4Z"]],
  })),
  tone,
  backdrop,
  // Nothing turns here: everything falls from above, column after column.
  turning: { way: "drops", direction: 1, speed: 20, over: 0, gap: 80 },
  drift: { bit: 1, count: 12, kind: "fall" },
  voices: {
    spin: (sound) => {
      sound.note({ from: 120, to: 55, seconds: 0.18, volume: 0.18 });
      sound.noise(0.14, 0.04, 3200, 0.12);
    },
    stop: (sound, reel) => {
      sound.note({ from: 150 + reel * 12, to: 70, seconds: 0.12, volume: 0.14 });
      sound.noise(0.05, 0.04, 2400);
    },
    scatter: (sound, count) =>
      sound.run([784 * 1.06 ** count, 988 * 1.06 ** count], 0.05, { seconds: 0.9, volume: 0.07 }),
    win: (sound, count) => sound.step(count + 2, 0.06),
    fall: (sound, count) => {
      sound.noise(0.1, 0.06, 1200 + count * 300);
      sound.step(count * 2 + 2, 0.07);
    },
    hope: (sound) =>
      sound.run([90, 90, 90, 90, 90, 90, 90, 90], 0.09, { to: 60, seconds: 0.08, volume: 0.14 }),
    free: (sound) =>
      sound.run([523, 523, 784, 659, 784, 1047], 0.11, { shape: "sawtooth", volume: 0.035 }),
    count: (sound) =>
      sound.run([523, 659, 784, 523, 659, 784, 1047, 1319], 0.14, {
        shape: "sawtooth",
        volume: 0.03,
      }),
    jackpot: (sound) => sound.run([523, 659, 784, 1047, 1319], 0.12, { seconds: 1.1 }),
  },
};
