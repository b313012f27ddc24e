/** Sounds made on the spot: no files, nothing to load. */
export class Sound {
  private context: AudioContext | null = null;

  constructor(private on: boolean) {}

  set(on: boolean): void {
    this.on = on;
  }

  /** A short shell click; `pitch` 0 … 1. */
  tick(pitch = 0.5): void {
    this.tone({ from: 900 + 900 * pitch, to: 500, length: 0.05, volume: 0.05, shape: "triangle" });
  }

  /** Rising notes like struck glass. */
  win(): void {
    [523, 659, 784, 1047].forEach((pitch, i) => {
      this.tone({
        from: pitch,
        to: pitch,
        length: 0.4,
        volume: 0.09,
        shape: "sine",
        delay: i * 0.07,
      });
    });
  }

  /** A soft knock on wood. */
  lose(): void {
    this.tone({ from: 190, to: 95, length: 0.2, volume: 0.12, shape: "sine" });
  }

  close(): void {
    void this.context?.close();
    this.context = null;
  }

  private tone(note: Note): void {
    if (!this.on || typeof AudioContext === "undefined") return;
    this.context ??= new AudioContext();
    const { context } = this;
    const start = context.currentTime + (note.delay ?? 0);
    const source = context.createOscillator();
    const gain = context.createGain();
    source.type = note.shape;
    source.frequency.setValueAtTime(note.from, start);
    source.frequency.exponentialRampToValueAtTime(note.to, start + note.length);
    gain.gain.setValueAtTime(note.volume, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + note.length);
    source.connect(gain).connect(context.destination);
    source.start(start);
    source.stop(start + note.length);
  }
}

type Note = {
  from: number;
  to: number;
  length: number;
  volume: number;
  shape: OscillatorType;
  delay?: number;
};
