/** How long a banner stands, and how long it takes to change. */
export const standsFor = 5000;
export const slidesFor = 1000;

/** A thumb has to pull a slide this far, as a share of its width. */
const farEnough = 0.15;

/** The slide after (`way` 1) or before (-1) another; after the last comes the first. */
export function nextSlide(at: number, way: 1 | -1, count: number): number {
  return (at + way + count) % count;
}

/** Which way a pull goes on when the thumb is lifted: to the slide after, to the one before, or back. */
export function wayOfPull(share: number): 1 | -1 | 0 {
  if (Math.abs(share) < farEnough) return 0;
  return share < 0 ? 1 : -1;
}

/** Which way is meant when a slide is chosen: through the others, not over the end. */
export function wayTo(from: number, to: number): 1 | -1 {
  return to > from ? 1 : -1;
}

const percent = (share: number) => `${share * 100}% 0`;
const seen = { visibility: ["visible", "visible"] };

/** Holds a slide and the one beside it where the thumb has pulled them. */
export function pull(held: HTMLElement, beside: HTMLElement, share: number): void {
  held.style.translate = percent(share);
  beside.style.translate = percent(share < 0 ? share + 1 : share - 1);
  beside.style.visibility = "visible";
}

export function letGo(...slides: readonly HTMLElement[]): void {
  for (const slide of slides) {
    slide.style.translate = "";
    slide.style.visibility = "";
  }
}

/** Moves a slide out and another in, from where a thumb has left them. */
export function slide(leaving: HTMLElement, coming: HTMLElement, way: 1 | -1, from = 0): void {
  const timing = { duration: slidesFor * (1 - Math.abs(from)), easing: "cubic-bezier(.3,.7,.2,1)" };
  for (const one of [leaving, coming]) for (const old of one.getAnimations()) old.cancel();
  leaving.animate({ translate: [percent(from), percent(-way)], ...seen }, timing);
  coming.animate({ translate: [percent(way + from), percent(0)], ...seen }, timing);
}

/** Moves both back to where they were. */
export function slideBack(held: HTMLElement, beside: HTMLElement, share: number): void {
  const timing = { duration: 250, easing: "ease-out" };
  const side = share < 0 ? 1 : -1;
  held.animate({ translate: [percent(share), percent(0)] }, timing);
  beside.animate({ translate: [percent(share + side), percent(side)], ...seen }, timing);
}
