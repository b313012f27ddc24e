import { sariArt } from "../art/sari";
import { hang, lamp, scattered, sky } from "../paint";
import type { Mood, Style, Tone } from "../style";

function tone({ theme }: Mood): Tone {
  const isDark = theme === "dark";
  return {
    board: isDark ? "#10231d" : "#bfe0cf",
    pane: isDark ? ["#2c5247", "#1b382f"] : ["#fffdf3", "#f3eed6"],
    ring: isDark ? "rgb(255 240 200 / 0.1)" : "rgb(40 110 80 / 0.13)",
    frame: ["#43b581", "#1d6b48"],
    edge: "#ffe08a",
    glow: isDark ? 0xffd54a : 0xff9d1f,
    finish: {
      contour: "#231308",
      light: "rgb(255 250 220 / 0.26)",
      shade: "rgb(70 20 0 / 0.3)",
    },
  };
}

const STRIPES = ["#e5484d", "#fff6e6"] as const;
const SACHETS = [
  "#ff6b6b",
  "#ffd43b",
  "#4dabf7",
  "#69db7c",
  "#f783ac",
  "#ffa94d",
  "#9775fa",
] as const;

/** The front of a corner shop: an awning, strings of sachets, jars on a shelf and a bare bulb. */
const backdrop: Style["backdrop"] = (pen, board, width, height, { theme }) => {
  const isDark = theme === "dark";
  sky(
    pen,
    width,
    height,
    isDark ? ["#0c2b33", "#123a3d", "#1a3a30"] : ["#8fdcd6", "#bdeadd", "#e9f3d2"],
  );
  planks(pen, width, height, isDark ? "rgb(0 0 0 / 0.2)" : "rgb(0 90 80 / 0.1)");
  lamp(
    pen,
    width * 0.5,
    height * 0.1,
    height * 0.85,
    isDark ? "255 206 110" : "255 246 200",
    isDark ? 0.42 : 0.7,
  );
  const awning = Math.max(16, Math.min(board.y * 0.6, height * 0.12));
  sachets(pen, width, awning, Math.max(12, board.cellWidth * 0.2));
  stripes(pen, width, awning);
  shelf(pen, width, height, isDark);
};

type Pen = CanvasRenderingContext2D;

function planks(pen: Pen, width: number, height: number, colour: string): void {
  pen.fillStyle = colour;
  for (let x = 0; x < width; x += 46) pen.fillRect(x, 0, 2, height);
}

function stripes(pen: Pen, width: number, height: number): void {
  const step = Math.max(18, width / 22);
  for (let i = 0; i * step < width; i += 1) {
    pen.fillStyle = STRIPES[i % 2] ?? STRIPES[0];
    pen.beginPath();
    pen.roundRect(i * step, -10, step, height + 10, [0, 0, step / 2, step / 2]);
    pen.fill();
  }
  pen.fillStyle = "rgb(0 0 0 / 0.16)";
  pen.fillRect(0, 0, width, 5);
}

function sachets(pen: Pen, width: number, top: number, size: number): void {
  const count = Math.round(width / (size * 1.5));
  hang([0, top], [width, top], size * 0.5, count, (x, y, step) => {
    const length = 1 + Math.floor(scattered(step, 1) * 3);
    for (let i = 0; i < length; i += 1) {
      pen.fillStyle = SACHETS[(step * 3 + i) % SACHETS.length] ?? SACHETS[0];
      pen.beginPath();
      pen.roundRect(x - size / 2, y + i * size * 1.1, size, size, 2);
      pen.fill();
      pen.fillStyle = "rgb(255 255 255 / 0.4)";
      pen.fillRect(x - size * 0.3, y + (i + 0.3) * size * 1.1, size * 0.6, size * 0.18);
    }
  });
}

/** Jars with sweets on a board at the bottom. */
function shelf(pen: Pen, width: number, height: number, isDark: boolean): void {
  const jar = Math.max(26, Math.min(54, width * 0.06));
  const board = height - jar * 0.28;
  for (let i = 0; i * jar * 1.25 < width; i += 1) {
    const x = i * jar * 1.25 + jar * 0.1;
    pen.fillStyle = isDark ? "rgb(220 255 240 / 0.16)" : "rgb(255 255 255 / 0.6)";
    pen.beginPath();
    pen.roundRect(x, board - jar * 1.1, jar, jar * 1.1, [jar * 0.24, jar * 0.24, 5, 5]);
    pen.fill();
    for (let k = 0; k < 9; k += 1) {
      pen.fillStyle = SACHETS[(i + k) % SACHETS.length] ?? SACHETS[0];
      pen.beginPath();
      pen.arc(
        x + jar * (0.2 + 0.3 * (k % 3)),
        board - jar * (0.16 + 0.24 * Math.floor(k / 3)),
        jar * 0.12,
        0,
        Math.PI * 2,
      );
      pen.fill();
    }
    pen.fillStyle = "#d9483b";
    pen.beginPath();
    pen.roundRect(x + jar * 0.1, board - jar * 1.26, jar * 0.8, jar * 0.2, 4);
    pen.fill();
  }
  pen.fillStyle = isDark ? "#5a3a1f" : "#b57b45";
  pen.fillRect(0, board, width, height - board);
}

export const sariStyle: Style = {
  art: sariArt,
  bits: [
    {
      box: [0, 0, 32],
      layers: [
        ["#c98a12", "M2 16a14 14 0 1 0 28 0a14 14 0 1 0-28 0Z"],
        ["#ffd24a", "M3 14.500a13 13 0 1 0 26 0a13 13 0 1 0-26 0Z"],
        ["#f2a91b", "M8 14.500a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z", 1.8],
        [
          "#b97708",
          "M13.500 19.500v-9.500h3a2.800 2.800 0 0 1 0 5.600h-3M11.500 11.700h8.500M11.500 13.800h8.500",
          1.5,
        ],
      ],
    },
    {
      box: [0, 0, 32],
      layers: [
        ["#ffd43b", "M11 16L2 9v14ZM21 16l9-7v14Z"],
        ["#ff6b6b", "M8 16a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z"],
        ["#ffffff", "M12 12.5l8 7M16 8.6l7.6 6.6", 1.6],
      ],
    },
  ],
  tone,
  backdrop,
  // An old mechanical machine: fast, and with a knock.
  turning: { way: "reels", direction: 1, speed: 24, over: 1.5, gap: 240 },
  drift: { bit: 0, count: 0, kind: "sway" },
  voices: {
    spin: (sound) => {
      sound.noise(0.12, 0.06, 2600);
      sound.run([180, 200, 180, 200, 180], 0.06, { seconds: 0.05, volume: 0.05, shape: "square" });
    },
    stop: (sound, reel) => {
      sound.note({ from: 140, to: 70, seconds: 0.12, volume: 0.16, shape: "triangle" });
      sound.noise(0.04, 0.07, 1600 + reel * 200);
    },
    scatter: (sound, count) => sound.step(count + 3),
    win: (sound, count) =>
      sound.run(
        [1319, 1760].map((pitch) => pitch * 1.06 ** count),
        0.07,
        { volume: 0.05, shape: "square", seconds: 0.12 },
      ),
    fall: (sound, count) => sound.step(count, 0.05),
    hope: (sound) => sound.run([330, 349, 370, 392], 0.12, { volume: 0.04 }),
    free: (sound) => sound.run([523, 659, 784, 1047], 0.09),
    count: (sound) =>
      sound.run([784, 988, 784, 988, 1175, 988, 1175, 1568], 0.12, {
        volume: 0.045,
        shape: "square",
        seconds: 0.14,
      }),
    jackpot: (sound) => sound.run([523, 784, 1047, 1319, 1568, 2093], 0.11, { seconds: 1.1 }),
  },
};
