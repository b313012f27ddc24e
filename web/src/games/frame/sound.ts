/** A note: its pitch may glide, and it fades out. */
export type Note = {
  /** Hertz at the beginning; at the end, `to` or the same. */
  from: number;
  to?: number;
  seconds?: number;
  volume?: number;
  shape?: OscillatorType;
  delay?: number;
};

/** Steps of a pentatonic scale from C5: whatever order they come in, they sound well together. */
const SCALE = [523.3, 587.3, 659.3, 784, 880];

/** Sounds made on the spot: no files, nothing to load. Every game makes its own voice of them. */
export class Sound {
  private context: AudioContext | null = null;
  private hiss: AudioBuffer | null = null;
  /** Silent while old events are shown again. */
  hushed = false;

  constructor(private on: boolean) {}

  set(on: boolean): void {
    this.on = on;
  }

  /** A short shell click; `pitch` 0 … 1. */
  tick(pitch = 0.5, volume = 0.05): void {
    this.note({ from: 900 + 900 * pitch, to: 500, seconds: 0.05, volume, shape: "triangle" });
  }

  /** A note of the scale, the higher the later in a row: for a run of good things. */
  step(number: number, volume = 0.08): void {
    const octave = 2 ** Math.floor(number / SCALE.length);
    const from = (SCALE[number % SCALE.length] ?? 523.3) * octave;
    this.note({ from: Math.min(from, 3200), seconds: 0.28, volume });
  }

  /** Several notes one after another. */
  run(pitches: readonly number[], gap = 0.07, note: Partial<Note> = {}): void {
    pitches.forEach((from, i) => this.note({ from, seconds: 0.4, ...note, delay: i * gap }));
  }

  /** A breath of noise, as of paper, sand or water; `pitch` in hertz is where it is brightest. */
  noise(seconds = 0.12, volume = 0.05, pitch = 1800, delay = 0): void {
    const context = this.ready();
    if (!context) return;
    const start = context.currentTime + delay;
    const source = context.createBufferSource();
    const filter = context.createBiquadFilter();
    source.buffer = this.hiss ??= noiseBuffer(context);
    source.loop = true;
    filter.type = "bandpass";
    filter.frequency.value = pitch;
    source.connect(filter).connect(fading(context, start, seconds, volume));
    source.start(start);
    source.stop(start + seconds);
  }

  /** Rising notes like struck glass, more of them the more was won. */
  win(multiple = 2): void {
    const notes = [523, 659, 784, 1047, 1319, 1568];
    const many = multiple >= 50 ? 6 : multiple >= 10 ? 5 : multiple >= 1.5 ? 4 : 2;
    this.run(notes.slice(0, many), 0.07, { volume: 0.09 });
    if (multiple >= 10) this.run([784, 1047, 1319], 0.05, { volume: 0.05, seconds: 0.9 });
  }

  /** A soft knock on wood. */
  lose(): void {
    this.note({ from: 190, to: 95, seconds: 0.2, volume: 0.12 });
  }

  note({ from, to = from, seconds = 0.3, volume = 0.08, shape = "sine", delay = 0 }: Note): void {
    const context = this.ready();
    if (!context) return;
    const start = context.currentTime + delay;
    const source = context.createOscillator();
    source.type = shape;
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, start + seconds);
    source.connect(fading(context, start, seconds, volume));
    source.start(start);
    source.stop(start + seconds);
  }

  close(): void {
    void this.context?.close();
    this.context = null;
  }

  private ready(): AudioContext | null {
    if (!this.on || this.hushed || typeof AudioContext === "undefined") return null;
    this.context ??= new AudioContext();
    return this.context;
  }
}

function fading(context: AudioContext, start: number, seconds: number, volume: number): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  gain.connect(context.destination);
  return gain;
}

function noiseBuffer(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = Math.random() * 2 - 1;
  return buffer;
}
