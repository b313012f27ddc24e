/**
 * The window lattices. Each function returns panes that cover a box from (0, 0) to (width, height):
 * a pane is a closed polygon (or a circle) with its middle.
 */
export const LATTICES = { square, brick, diamond, hex, round, chevron, fan, caning };
export const LATTICE_NAMES = Object.keys(LATTICES);

function polygon(points) {
  const middle = points.reduce(
    (sum, p) => [sum[0] + p[0] / points.length, sum[1] + p[1] / points.length],
    [0, 0],
  );
  return { points, x: middle[0], y: middle[1] };
}

function rectangle(x, y, w, h) {
  return polygon([
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ]);
}

function square(width, height, size) {
  const panes = [];
  for (let y = 0; y < height; y += size)
    for (let x = 0; x < width; x += size) panes.push(rectangle(x, y, size, size));
  return panes;
}

function brick(width, height, size) {
  const panes = [];
  const [w, h] = [size * 1.6, size * 0.72];
  for (let y = 0, row = 0; y < height; y += h, row += 1) {
    for (let x = row % 2 ? -w / 2 : 0; x < width; x += w) panes.push(rectangle(x, y, w, h));
  }
  return panes;
}

function diamond(width, height, size) {
  const panes = [];
  const [w, h] = [size * 0.72, size * 0.86];
  for (let y = 0, row = 0; y <= height + h; y += h, row += 1) {
    for (let x = row % 2 ? w : 0; x <= width + w; x += 2 * w) {
      panes.push(
        polygon([
          [x, y - h],
          [x + w, y],
          [x, y + h],
          [x - w, y],
        ]),
      );
    }
  }
  return panes;
}

function hex(width, height, size) {
  const panes = [];
  const r = size * 0.62;
  const w = r * Math.sqrt(3);
  for (let y = 0, row = 0; y <= height + r; y += r * 1.5, row += 1) {
    for (let x = row % 2 ? w / 2 : 0; x <= width + w / 2; x += w) {
      const h = w / 2;
      panes.push(
        polygon([
          [x, y - r],
          [x + h, y - r / 2],
          [x + h, y + r / 2],
          [x, y + r],
          [x - h, y + r / 2],
          [x - h, y - r / 2],
        ]),
      );
    }
  }
  return panes;
}

function round(width, height, size) {
  const panes = [];
  for (let y = size / 2; y < height + size / 2; y += size) {
    for (let x = size / 2; x < width + size / 2; x += size) panes.push({ radius: size / 2, x, y });
  }
  return panes;
}

function chevron(width, height, size) {
  const panes = [];
  const [w, h] = [size * 0.9, size];
  for (let y = -h; y < height; y += h) {
    for (let x = 0, column = 0; x < width; x += w, column += 1) {
      const [left, right] = column % 2 ? [h * 0.55, 0] : [0, h * 0.55];
      panes.push(
        polygon([
          [x, y + left],
          [x + w, y + right],
          [x + w, y + right + h],
          [x, y + left + h],
        ]),
      );
    }
  }
  return panes;
}

function fan(width, height, size) {
  const panes = [];
  const [cx, cy] = [width / 2, height * 1.02];
  const reach = Math.hypot(width / 2, cy) + size;
  for (let r = size; r < reach; r += size * 1.15) {
    const parts = Math.max(5, Math.round((Math.PI * r) / (size * 1.25)));
    for (let i = 0; i < parts; i += 1) {
      const at = (radius, k) => {
        const angle = Math.PI * (1 + k / parts);
        return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
      };
      const far = r + size * 1.15;
      const pane = polygon([at(r, i), at(r, i + 1), at(far, i + 1), at(far, i)]);
      if (pane.x > -size && pane.x < width + size && pane.y > -size) panes.push(pane);
    }
  }
  return panes;
}

function caning(width, height, size) {
  const panes = [];
  const step = size * 1.18;
  const cut = step * 0.3;
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const [r, b] = [x + step, y + step];
      panes.push(
        polygon([
          [x + cut, y],
          [r - cut, y],
          [r, y + cut],
          [r, b - cut],
          [r - cut, b],
          [x + cut, b],
          [x, b - cut],
          [x, y + cut],
        ]),
      );
      panes.push(
        polygon([
          [r, b - cut],
          [r + cut, b],
          [r, b + cut],
          [r - cut, b],
        ]),
      );
    }
  }
  return panes;
}
