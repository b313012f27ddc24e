import { Texture } from "pixi.js";

const PANE = 96;

/** One shell pane in grey, tinted where it is used: a soft light from above and lines of growth. */
export function paneTexture(): Texture {
  return drawn(PANE, PANE, (pen) => {
    const light = pen.createRadialGradient(
      PANE * 0.32,
      PANE * 0.24,
      4,
      PANE / 2,
      PANE / 2,
      PANE * 0.8,
    );
    light.addColorStop(0, "#ffffff");
    light.addColorStop(0.55, "#d9d9d9");
    light.addColorStop(1, "#a2a2a2");
    pen.beginPath();
    pen.roundRect(3, 3, PANE - 6, PANE - 6, [5, 16, 5, 16]);
    pen.fillStyle = light;
    pen.fill();
    pen.clip();
    pen.strokeStyle = "rgba(255,255,255,.4)";
    pen.lineWidth = 1.5;
    for (let radius = 18; radius < 120; radius += 13) {
      pen.beginPath();
      pen.arc(2, 2, radius, 0, Math.PI / 2);
      pen.stroke();
    }
    pen.strokeStyle = "rgba(255,255,255,.75)";
    pen.lineWidth = 2;
    pen.beginPath();
    pen.roundRect(4, 4, PANE - 8, PANE - 8, [5, 16, 5, 16]);
    pen.stroke();
  });
}

/** The ten digits one above the other, for a drum that turns. */
export function digitStrip(width: number, height: number, ink: string): Texture {
  return drawn(width, height * 10, (pen) => {
    pen.fillStyle = ink;
    const base = setFont(pen, height);
    for (let digit = 0; digit < 10; digit += 1) {
      pen.fillText(String(digit), width / 2, base + digit * height, width);
    }
  });
}

/** The point between the digits, on their line. */
export function pointTexture(width: number, height: number, ink: string): Texture {
  return drawn(width, height, (pen) => {
    pen.fillStyle = ink;
    const base = setFont(pen, height);
    pen.fillText(".", width / 2, base);
  });
}

/** Prepares the pen for the number; returns the line on which digits stand in the middle of the height. */
function setFont(pen: CanvasRenderingContext2D, height: number): number {
  pen.textAlign = "center";
  pen.font = numberFont(height);
  const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = pen.measureText("0");
  return (height + up - down) / 2;
}

/** The plaque with leaf corners behind the number. Drawn in 2D, its curves are smooth without WebGL antialiasing. */
export function plaqueTexture(width: number, height: number, fill: string, edge: string): Texture {
  const large = Math.min(88, height * 0.3);
  return drawn(width, height, (pen) => {
    pen.beginPath();
    pen.roundRect(3, 3, width - 6, height - 6, [16, large, 16, large]);
    pen.fillStyle = fill;
    pen.fill();
    pen.strokeStyle = edge;
    pen.lineWidth = 6;
    pen.stroke();
  });
}

/** The heavy condensed face of the house; system faces stand in until it is there. */
export function numberFont(height: number): string {
  return `800 condensed ${Math.round(height * 0.86)}px Anybody, "Arial Narrow", "Roboto Condensed", Impact, sans-serif`;
}

function drawn(
  width: number,
  height: number,
  draw: (pen: CanvasRenderingContext2D) => void,
): Texture {
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width);
  canvas.height = Math.ceil(height);
  const pen = canvas.getContext("2d");
  if (pen) draw(pen);
  return Texture.from(canvas);
}
