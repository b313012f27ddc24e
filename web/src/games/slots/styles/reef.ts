import { reefArt } from "../art/reef";
import { ground, lamp, scattered, sky } from "../paint";
import type { Mood, Style, Tone } from "../style";

const WATER: Readonly<
  Record<Mood["theme"], Readonly<Record<"plain" | "free", readonly string[]>>>
> = {
  dark: { plain: ["#0f7a8c", "#0a4a66", "#052638"], free: ["#5a2fa8", "#2f1a72", "#120b3a"] },
  light: { plain: ["#bdf0ee", "#6fd0da", "#2f9fb8"], free: ["#e2d2ff", "#b193f0", "#6f5bc9"] },
};

function tone({ theme, free }: Mood): Tone {
  const isDark = theme === "dark";
  return {
    board: isDark ? (free ? "#160f45" : "#03202d") : free ? "#cfc2f5" : "#c3e9ea",
    pane: isDark
      ? free
        ? ["#33257f", "#211760"]
        : ["#0d5166", "#08384a"]
      : free
        ? ["#f7f2ff", "#dccffb"]
        : ["#f6fffd", "#cfeff0"],
    ring: isDark ? "rgb(190 245 255 / 0.12)" : "rgb(20 110 130 / 0.14)",
    frame: free ? ["#f0b7ff", "#8d4fd6"] : ["#ffb59c", "#d2576d"],
    edge: "#fff1dc",
    glow: free ? 0xff9df5 : isDark ? 0x7ff5e4 : 0xffb52e,
    finish: {
      contour: "#05202c",
      light: "rgb(220 255 250 / 0.26)",
      shade: "rgb(0 30 70 / 0.34)",
    },
  };
}

/** Under water: rays from above, sand and coral below. */
const backdrop: Style["backdrop"] = (pen, _, width, height, { theme, free }) => {
  const isDark = theme === "dark";
  sky(pen, width, height, WATER[theme][free ? "free" : "plain"]);
  lamp(
    pen,
    width * 0.5,
    -height * 0.1,
    height * 0.9,
    isDark ? "160 255 240" : "255 255 255",
    isDark ? 0.28 : 0.6,
  );
  rays(pen, width, height, isDark ? "rgb(190 255 250 / 0.07)" : "rgb(255 255 255 / 0.22)");
  const [far, near, sand] = isDark
    ? free
      ? ["#2b1a68", "#1f1252", "#372070"]
      : ["#0a4358", "#07354a", "#1f4d55"]
    : free
      ? ["#9a80dd", "#8468cf", "#c9b3ee"]
      : ["#54b9c6", "#3fa6b8", "#e9d9ae"];
  ground(pen, width, height, height * 0.24, 1.3, far);
  corals(pen, width, height, [near, ...(isDark ? ["#5b2f63", "#7d3355"] : ["#f08aa0", "#e3a0c8"])]);
  ground(pen, width, height, height * 0.09, 4.1, sand);
};

type Pen = CanvasRenderingContext2D;

function rays(pen: Pen, width: number, height: number, colour: string): void {
  pen.fillStyle = colour;
  for (let i = 0; i < 6; i += 1) {
    const top = width * (0.1 + 0.16 * i);
    const spread = width * (0.05 + 0.06 * scattered(i, 2));
    const lean = width * 0.18 * (scattered(i, 5) - 0.5);
    pen.beginPath();
    pen.moveTo(top, 0);
    pen.lineTo(top + spread * 0.5, 0);
    pen.lineTo(top + spread + lean, height);
    pen.lineTo(top - spread + lean, height);
    pen.closePath();
    pen.fill();
  }
}

/** Branches that grow from the ground at both sides. */
function corals(pen: Pen, width: number, height: number, colours: readonly string[]): void {
  pen.lineCap = "round";
  pen.globalAlpha = 0.8;
  for (let i = 0; i < 10; i += 1) {
    pen.strokeStyle = colours[i % colours.length] ?? "#ffffff";
    const side = i % 2 === 0 ? 0.02 + 0.2 * scattered(i, 1) : 0.98 - 0.2 * scattered(i, 1);
    branch(
      pen,
      width * side,
      height,
      -Math.PI / 2 + (scattered(i, 2) - 0.5) * 0.5,
      height * (0.05 + 0.03 * scattered(i, 3)),
      4,
    );
  }
  pen.globalAlpha = 1;
}

function branch(
  pen: Pen,
  x: number,
  y: number,
  angle: number,
  length: number,
  depth: number,
): void {
  const [toX, toY] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length];
  pen.lineWidth = 2 + depth * 2.2;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(toX, toY);
  pen.stroke();
  if (depth === 0) return;
  branch(pen, toX, toY, angle - 0.42, length * 0.72, depth - 1);
  branch(pen, toX, toY, angle + 0.36, length * 0.68, depth - 1);
}

export const reefStyle: Style = {
  art: reefArt,
  bits: [
    {
      box: [0, 0, 32],
      layers: [
        ["rgb(220 255 255 / 0.28)", "M3 16a13 13 0 1 0 26 0a13 13 0 1 0-26 0Z"],
        ["rgb(240 255 255 / 0.85)", "M3 16a13 13 0 1 0 26 0a13 13 0 1 0-26 0Z", 1.6],
        ["rgb(255 255 255 / 0.9)", "M9 12a6 6 0 0 1 5-5", 2.4],
      ],
    },
    {
      box: [0, 0, 32],
      layers: [
        ["#e9d9e6", "M4 16a12 12 0 1 0 24 0a12 12 0 1 0-24 0Z"],
        ["#fff8ee", "M5 14a10 10 0 1 0 20 0a10 10 0 1 0-20 0Z"],
        ["#ffffff", "M9 11a4 4 0 0 1 5-3", 2.4],
      ],
    },
  ],
  tone,
  backdrop,
  // Things under water rise: the reels turn upwards, and soften their stops.
  turning: { way: "reels", direction: -1, speed: 17, over: 0.7, gap: 170 },
  drift: { bit: 0, count: 16, kind: "rise" },
  voices: {
    spin: (sound) => {
      sound.noise(0.5, 0.035, 500);
      sound.note({ from: 160, to: 320, seconds: 0.35, volume: 0.05 });
    },
    stop: (sound, reel) =>
      sound.note({ from: 300 + reel * 34, to: 190, seconds: 0.13, volume: 0.09 }),
    scatter: (sound, count) => sound.run([660 * 1.12 ** count, 990 * 1.12 ** count], 0.06),
    win: (sound, count) => sound.step(count + 1, 0.07),
    fall: (sound, count) => sound.step(count, 0.05),
    hope: (sound) =>
      sound.note({ from: 220, to: 660, seconds: 0.9, volume: 0.05, shape: "triangle" }),
    free: (sound) => sound.run([392, 523, 659, 784, 1047, 1319], 0.09, { seconds: 0.7 }),
    count: (sound) =>
      sound.run([523, 659, 784, 659, 784, 1047, 784, 1047, 1319], 0.14, { volume: 0.06 }),
    jackpot: (sound) => sound.run([523, 659, 784, 1047, 1319, 1568], 0.12, { seconds: 1.2 }),
  },
};
