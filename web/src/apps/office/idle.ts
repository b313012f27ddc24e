/** After this long without a call the server ends the session. */
export const idleMs = 15 * 60_000;
const every = 10_000;
const key = "office.used";

/** After this long without a hand on it, what the page asks is asked by itself. */
const handsOffMs = 60_000;
let touchedAt = Date.now();

/** Notes when somebody touches the page. */
export function watchHands(): void {
  const note = () => {
    touchedAt = Date.now();
  };
  for (const type of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
    addEventListener(type, note, { passive: true, capture: true });
  }
}

/** Whether somebody is at the page: pages load things again by themselves, too. */
export function isTouched(now = Date.now()): boolean {
  return now - touchedAt < handsOffMs;
}

/** A call was answered. All tabs share the moment: a tab that asked by itself would keep the session alive for ever. */
export function noteUse(now = Date.now()): void {
  localStorage.setItem(key, String(now));
}

/** Whether no tab has made a call for so long that the session must be over. */
export function isIdle(now = Date.now()): boolean {
  const used = Number(localStorage.getItem(key));
  return used > 0 && now - used > idleMs;
}

/** Calls back when the session must be over, so that nothing stays on an unattended screen. */
export function watchUse(onIdle: () => void): void {
  setInterval(() => {
    if (isIdle()) onIdle();
  }, every);
}
