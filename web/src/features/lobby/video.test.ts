import { describe, expect, it } from "vitest";
import { videoFrame, videoLanguage } from "./video";

const frame = (link: string) => videoFrame(link, "EN")?.split("?")[0] ?? null;
const tube = "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ";

describe("videos", () => {
  it("come from the services alone, whatever form their links have", () => {
    expect(frame("https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=4s")).toBe(tube);
    expect(frame("https://youtu.be/dQw4w9WgXcQ")).toBe(tube);
    expect(frame("https://m.youtube.com/shorts/dQw4w9WgXcQ")).toBe(tube);
    expect(frame("https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ")).toBe(tube);
    expect(frame("https://vimeo.com/76979871")).toBe("https://player.vimeo.com/video/76979871");
    expect(frame("https://player.vimeo.com/video/76979871")).toBe(
      "https://player.vimeo.com/video/76979871",
    );
  });

  it("come from nowhere else", () => {
    expect(frame("https://example.com/watch?v=dQw4w9WgXcQ")).toBeNull();
    expect(frame("https://youtube.com.example.com/watch?v=dQw4w9WgXcQ")).toBeNull();
    expect(frame("https://example.com/?u=youtube.com")).toBeNull();
    expect(frame("https://www.youtube.com/watch?v=../../x")).toBeNull();
    expect(frame("https://www.youtube.com/@somebody")).toBeNull();
    expect(frame("javascript:alert(1)")).toBeNull();
    expect(frame("no link")).toBeNull();
  });

  it("speak the site's language where the map has it", () => {
    expect(["EN", "TY", "CN", "VI", "TH"].map(videoLanguage)).toEqual([
      "en",
      "fil",
      "zh-CN",
      "vi",
      "th",
    ]);
    expect(videoFrame("https://youtu.be/dQw4w9WgXcQ", "TY")).toContain("hl=fil");
  });
});
