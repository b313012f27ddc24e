import { type Challenge, solve } from "./solve";

/** Solves the one challenge that it is given, away from the page. */
addEventListener("message", ({ data }: MessageEvent<Challenge>) => {
  solve(data).then(
    (solution) => postMessage(solution),
    () => postMessage(null),
  );
});
