const KEY = "sound";

/** Whether games make sounds; the frame has no storage, so the page remembers it. */
export function readSound(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

export function keepSound(on: boolean): void {
  localStorage.setItem(KEY, on ? "on" : "off");
}
