type Pen = CanvasRenderingContext2D;

/** The symbols of the prizes, lowest first, each drawn in a square from −1 to 1. */
const symbols: readonly ((pen: Pen) => void)[] = [
  shell,
  fish,
  mango,
  leaf,
  lantern,
  pearl,
  crown,
  sun,
];

export function drawSymbol(pen: Pen, symbol: number, x: number, y: number, size: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(size, size);
  pen.lineJoin = "round";
  pen.lineWidth = 0.07;
  pen.strokeStyle = "rgb(30 25 15 / 0.7)";
  symbols[symbol]?.(pen);
  pen.restore();
}

function shape(pen: Pen, fill: string, draw: () => void): void {
  pen.beginPath();
  draw();
  pen.closePath();
  pen.fillStyle = fill;
  pen.fill();
  pen.stroke();
}

function shell(pen: Pen): void {
  shape(pen, "#8fc7bb", () => {
    pen.moveTo(-0.2, 0.8);
    pen.lineTo(-0.9, -0.1);
    pen.quadraticCurveTo(-0.8, -0.85, 0, -0.9);
    pen.quadraticCurveTo(0.8, -0.85, 0.9, -0.1);
    pen.lineTo(0.2, 0.8);
  });
  for (const x of [-0.6, -0.3, 0, 0.3, 0.6]) {
    pen.beginPath();
    pen.moveTo(x * 0.2, 0.75);
    pen.lineTo(x * 1.2, -0.65 + Math.abs(x) * 0.35);
    pen.stroke();
  }
}

function fish(pen: Pen): void {
  shape(pen, "#4f9fc9", () => {
    pen.moveTo(0.9, 0);
    pen.quadraticCurveTo(0.2, -0.85, -0.45, 0);
    pen.lineTo(-0.95, -0.5);
    pen.lineTo(-0.95, 0.5);
    pen.lineTo(-0.45, 0);
    pen.quadraticCurveTo(0.2, 0.85, 0.9, 0);
  });
  shape(pen, "#fff", () => pen.arc(0.5, -0.12, 0.1, 0, Math.PI * 2));
}

function mango(pen: Pen): void {
  shape(pen, "#f5b332", () => {
    pen.moveTo(-0.35, -0.7);
    pen.bezierCurveTo(0.6, -1.05, 1.25, 0.2, 0.55, 0.75);
    pen.bezierCurveTo(-0.1, 1.1, -1.1, 0.5, -0.85, -0.2);
    pen.quadraticCurveTo(-0.7, -0.6, -0.35, -0.7);
  });
  shape(pen, "#5c9a3b", () => {
    pen.moveTo(-0.35, -0.7);
    pen.quadraticCurveTo(-0.2, -1.1, 0.35, -1);
    pen.quadraticCurveTo(0.15, -0.7, -0.35, -0.7);
  });
}

function leaf(pen: Pen): void {
  shape(pen, "#57a867", () => {
    pen.moveTo(-0.85, 0.85);
    pen.bezierCurveTo(-0.9, -0.6, 0.2, -0.95, 0.9, -0.85);
    pen.bezierCurveTo(0.95, 0.2, 0.5, 0.9, -0.85, 0.85);
  });
  pen.beginPath();
  pen.moveTo(-0.85, 0.85);
  pen.quadraticCurveTo(0, 0.1, 0.7, -0.65);
  pen.stroke();
}

function lantern(pen: Pen): void {
  shape(pen, "#f0803c", () => {
    for (let i = 0; i < 10; i += 1) {
      const angle = (i / 10) * Math.PI * 2 - Math.PI / 2;
      const radius = i % 2 === 0 ? 1 : 0.42;
      pen.lineTo(Math.cos(angle) * radius, Math.sin(angle) * radius);
    }
  });
  shape(pen, "#ffd88a", () => pen.arc(0, 0, 0.24, 0, Math.PI * 2));
}

function pearl(pen: Pen): void {
  const light = pen.createRadialGradient(-0.3, -0.35, 0.05, 0, 0, 0.9);
  light.addColorStop(0, "#ffffff");
  light.addColorStop(0.6, "#e9e2ef");
  light.addColorStop(1, "#a99fb8");
  pen.beginPath();
  pen.arc(0, 0, 0.85, 0, Math.PI * 2);
  pen.fillStyle = light;
  pen.fill();
  pen.stroke();
}

function crown(pen: Pen): void {
  shape(pen, "#e5484d", () => {
    pen.moveTo(-0.85, 0.7);
    pen.lineTo(-0.95, -0.45);
    pen.lineTo(-0.45, 0.05);
    pen.lineTo(0, -0.8);
    pen.lineTo(0.45, 0.05);
    pen.lineTo(0.95, -0.45);
    pen.lineTo(0.85, 0.7);
  });
  for (const x of [-0.45, 0, 0.45]) shape(pen, "#ffe08a", () => pen.arc(x, 0.45, 0.12, 0, 7));
}

function sun(pen: Pen): void {
  for (let i = 0; i < 8; i += 1) {
    const angle = (i / 8) * Math.PI * 2;
    shape(pen, "#ffc93c", () => {
      pen.moveTo(Math.cos(angle - 0.2) * 0.55, Math.sin(angle - 0.2) * 0.55);
      pen.lineTo(Math.cos(angle), Math.sin(angle));
      pen.lineTo(Math.cos(angle + 0.2) * 0.55, Math.sin(angle + 0.2) * 0.55);
    });
  }
  shape(pen, "#ffb020", () => pen.arc(0, 0, 0.5, 0, Math.PI * 2));
}
