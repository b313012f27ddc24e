import { Container, Sprite, type Texture } from "pixi.js";

type Spark = { sprite: Sprite; vx: number; vy: number; turn: number; age: number; life: number };

const GRAVITY = 620;

/** Flakes of shell that fly out and fall. */
export class Sparks {
  readonly view = new Container();
  private sparks: Spark[] = [];

  constructor(private readonly texture: Texture) {}

  get flying(): boolean {
    return this.sparks.length > 0;
  }

  burst(x: number, y: number, count: number, colors: readonly number[]): void {
    for (let i = 0; i < count; i += 1) {
      const sprite = new Sprite(this.texture);
      const angle = (i / count) * Math.PI * 2 + Math.random();
      const speed = 120 + Math.random() * 320;
      sprite.anchor.set(0.5);
      sprite.setSize(6 + Math.random() * 9);
      sprite.tint = colors[i % colors.length] ?? 0xffffff;
      sprite.position.set(x, y);
      this.view.addChild(sprite);
      this.sparks.push({
        sprite,
        vx: Math.cos(angle) * speed,
        vy: Math.sin(angle) * speed - 200,
        turn: (Math.random() - 0.5) * 14,
        age: 0,
        life: 0.8 + Math.random() * 0.7,
      });
    }
  }

  update(seconds: number): void {
    for (const spark of this.sparks) {
      spark.age += seconds;
      spark.vy += GRAVITY * seconds;
      spark.sprite.x += spark.vx * seconds;
      spark.sprite.y += spark.vy * seconds;
      spark.sprite.rotation += spark.turn * seconds;
      spark.sprite.alpha = Math.max(0, 1 - spark.age / spark.life);
    }
    const gone = this.sparks.filter(({ age, life }) => age >= life);
    for (const { sprite } of gone) sprite.destroy();
    if (gone.length > 0) this.sparks = this.sparks.filter(({ age, life }) => age < life);
  }
}
