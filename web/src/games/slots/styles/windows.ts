import { windowsArt } from "../art/windows";
import { lamp, scattered, sky } from "../paint";
import type { Mood, Style, Tone } from "../style";

function tone({ theme, free }: Mood): Tone {
  const isDark = theme === "dark";
  return {
    board: isDark ? (free ? "#0b1233" : "#1d0f0a") : free ? "#b9c3e6" : "#d9b98a",
    pane: isDark
      ? free
        ? ["#2a3c86", "#182457"]
        : ["#5a3a2a", "#38211a"]
      : free
        ? ["#f3f6ff", "#cfd9fa"]
        : ["#fffaea", "#f6e2b4"],
    ring: isDark ? "rgb(255 226 168 / 0.14)" : "rgb(140 84 30 / 0.16)",
    frame: free ? ["#6d86d8", "#2b3a7d"] : ["#a86b3c", "#5c331a"],
    edge: free ? "#cfdcff" : "#e9b878",
    glow: free ? 0xa9c4ff : isDark ? 0xffc857 : 0xf28a1c,
    finish: {
      contour: "#221009",
      light: "rgb(255 240 200 / 0.28)",
      shade: "rgb(60 10 20 / 0.32)",
    },
  };
}

const SKIES: Readonly<
  Record<Mood["theme"], Readonly<Record<"plain" | "free", readonly string[]>>>
> = {
  dark: { plain: ["#1b1440", "#57265a", "#b3523f"], free: ["#060a24", "#12205c", "#2a4592"] },
  light: { plain: ["#ffd98f", "#ffc08a", "#f2a27c"], free: ["#8ea6e6", "#b6c5f2", "#dfe5fb"] },
};

/** The wall of an old house: shell panes with light behind them, held by wood. */
const backdrop: Style["backdrop"] = (pen, board, width, height, { theme, free }) => {
  const isDark = theme === "dark";
  sky(pen, width, height, SKIES[theme][free ? "free" : "plain"]);
  const warm = free ? "150 185 255" : "255 196 96";
  lamp(pen, board.x, board.y + board.height * 0.6, width * 0.4, warm, 0.55);
  lamp(pen, board.x + board.width, board.y + board.height * 0.4, width * 0.4, warm, 0.55);
  panes(pen, width, height, { theme, free });
  beams(pen, width, height, isDark ? (free ? "#0d1440" : "#2a140c") : free ? "#8d9bd0" : "#9a6234");
};

function panes(
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
  { theme, free }: Mood,
): void {
  const size = Math.max(34, Math.min(64, width / 14));
  const light = free ? "205 222 255" : "255 224 160";
  const gap = 3;
  for (let x = 0; x * size < width; x += 1) {
    for (let y = 0; y * size < height; y += 1) {
      const shine = scattered(x * 31 + y, 3);
      const alpha = (theme === "dark" ? 0.1 : 0.24) + 0.3 * shine * shine;
      pen.fillStyle = `rgb(${light} / ${alpha.toFixed(2)})`;
      pen.beginPath();
      pen.roundRect(x * size + gap, y * size + gap, size - 2 * gap, size - 2 * gap, [3, 10, 3, 10]);
      pen.fill();
    }
  }
}

/** Posts and rails of dark wood between the windows. */
function beams(pen: CanvasRenderingContext2D, width: number, height: number, wood: string): void {
  pen.fillStyle = wood;
  const thick = Math.max(8, width * 0.018);
  const bays = Math.max(2, Math.round(width / 240));
  for (let i = 0; i <= bays; i += 1) {
    pen.fillRect((width / bays) * i - thick / 2, 0, thick, height);
  }
  pen.fillRect(0, 0, width, thick * 0.8);
  pen.fillRect(0, height - thick * 1.6, width, thick * 1.6);
  pen.fillStyle = "rgb(255 255 255 / 0.1)";
  for (let i = 0; i <= bays; i += 1) {
    pen.fillRect((width / bays) * i - thick / 2, 0, 2, height);
  }
}

export const windowsStyle: Style = {
  art: windowsArt,
  bits: [
    {
      box: [0, 0, 32],
      layers: [
        ["rgb(255 224 150 / 0.35)", "M2 16a14 14 0 1 0 28 0a14 14 0 1 0-28 0Z"],
        ["#fff3c4", "M11 16a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z"],
      ],
    },
    {
      box: [0, 0, 32],
      layers: [
        ["#ffe9b8", "M4 6a2 2 0 0 1 2-2h14a8 8 0 0 1 8 8v14a2 2 0 0 1-2 2H12a8 8 0 0 1-8-8Z"],
        ["#fffaf0", "M6 14a8 8 0 0 1 8-8M6 20A14 14 0 0 1 20 6", 1.6],
      ],
    },
    {
      box: [0, 0, 32],
      layers: [["#ffc24a", "M16 2l4 10l10 4l-10 4l-4 10l-4-10l-10-4l10-4Z"]],
    },
  ],
  tone,
  backdrop,
  // Shutters that slide down and click into their rails.
  turning: { way: "reels", direction: 1, speed: 20, over: 0.25, gap: 150 },
  drift: { bit: 0, count: 14, kind: "twinkle" },
  voices: {
    spin: (sound) => sound.noise(0.4, 0.03, 1400),
    stop: (sound, reel) => {
      sound.note({ from: 520, to: 260, seconds: 0.07, volume: 0.08, shape: "triangle" });
      sound.noise(0.05, 0.05, 900 + reel * 120);
    },
    scatter: (sound, count) =>
      sound.run(
        [523, 784, 1047].map((pitch) => pitch * 1.1 ** count),
        0.05,
      ),
    win: (sound, count) =>
      sound.run([392 * 1.09 ** count, 587 * 1.09 ** count], 0.05, {
        shape: "triangle",
        volume: 0.06,
      }),
    fall: (sound, count) => sound.step(count, 0.05),
    hope: (sound) =>
      sound.run([392, 415, 440, 466, 494, 523], 0.14, { volume: 0.04, shape: "triangle" }),
    free: (sound) => sound.run([330, 415, 494, 659, 831, 988], 0.11, { seconds: 0.9 }),
    count: (sound) =>
      sound.run([392, 494, 587, 784, 587, 784, 988, 1175], 0.15, {
        volume: 0.06,
        shape: "triangle",
      }),
    jackpot: (sound) => sound.run([392, 494, 587, 784, 988, 1175, 1568], 0.12, { seconds: 1.3 }),
  },
};
