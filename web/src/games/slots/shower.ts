import { Container, Sprite, type Texture } from "pixi.js";

type Flight = { vx: number; vy: number; pull: number; life: number };
type Bit = Flight & { sprite: Sprite; turn: number; age: number };

const GRAVITY = 780;
const MOST = 140;

/** Bits of the machine that burst out of what won; sprites are kept and used again. */
export class Shower {
  readonly view = new Container();
  private readonly resting: Sprite[] = [];
  private bits: Bit[] = [];

  get isFlying(): boolean {
    return this.bits.length > 0;
  }

  burst(textures: readonly Texture[], x: number, y: number, count: number, size: number): void {
    for (let i = 0; i < count && this.bits.length < MOST; i += 1) {
      const angle = Math.random() * Math.PI * 2;
      const speed = 60 + Math.random() * 260;
      this.add(textures, x, y, size * (0.6 + Math.random() * 0.6), {
        vx: Math.cos(angle) * speed,
        vy: Math.sin(angle) * speed - 160,
        pull: GRAVITY,
        life: 0.6 + Math.random() * 0.5,
      });
    }
  }

  /** Rain, for a win that is worth it: from above, or where things rise from below. */
  rain(
    textures: readonly Texture[],
    area: { width: number; height: number },
    count: number,
    size: number,
    direction: 1 | -1,
  ): void {
    const edge = direction === 1 ? 0 : area.height;
    for (let i = 0; i < count && this.bits.length < MOST; i += 1) {
      this.add(
        textures,
        Math.random() * area.width,
        edge - direction * (size + Math.random() * 260),
        size,
        {
          vx: (Math.random() - 0.5) * 60,
          vy: direction * (60 + Math.random() * 120),
          pull: direction * GRAVITY * 0.3,
          life: 2 + Math.random() * 1.2,
        },
      );
    }
  }

  update(seconds: number): void {
    for (const bit of this.bits) {
      bit.age += seconds;
      bit.vy += bit.pull * seconds;
      bit.sprite.x += bit.vx * seconds;
      bit.sprite.y += bit.vy * seconds;
      bit.sprite.rotation += bit.turn * seconds;
      bit.sprite.alpha = Math.min(1, 3 * (1 - bit.age / bit.life));
    }
    this.drop(({ age, life }) => age >= life);
  }

  clear(): void {
    this.drop(() => true);
  }

  private add(
    textures: readonly Texture[],
    x: number,
    y: number,
    size: number,
    flight: Flight,
  ): void {
    const sprite = this.resting.pop() ?? this.view.addChild(new Sprite({ anchor: 0.5 }));
    const texture = textures[Math.floor(Math.random() * textures.length)];
    if (texture) sprite.texture = texture;
    sprite.position.set(x, y);
    sprite.setSize(size);
    sprite.alpha = 1;
    sprite.visible = true;
    this.bits.push({ sprite, ...flight, turn: (Math.random() - 0.5) * 9, age: 0 });
  }

  private drop(isOver: (bit: Bit) => boolean): void {
    const over = this.bits.filter(isOver);
    if (over.length === 0) return;
    for (const { sprite } of over) {
      sprite.visible = false;
      this.resting.push(sprite);
    }
    this.bits = this.bits.filter((bit) => !over.includes(bit));
  }
}
