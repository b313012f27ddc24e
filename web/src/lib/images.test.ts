import { describe, expect, it } from "vitest";
import { setBoot } from "./boot/boot";
import { sampleBoot } from "./boot/sample";
import { imageAddress } from "./images";

const hosts = ["https://one.example", "https://two.example"];

describe("pictures of vendors", () => {
  it("come from the site where the merchant names no other host", () => {
    setBoot(sampleBoot("EN"));
    expect(imageAddress("/art/vendor/A/color.svg")).toBe("/art/vendor/A/color.svg");
  });
  it("come from the merchant's hosts, each always from the same", () => {
    setBoot({ ...sampleBoot("EN"), imageCDNs: hosts });
    const address = imageAddress("/art/vendor/A/color.svg");
    expect(hosts.map((host) => `${host}/art/vendor/A/color.svg`)).toContain(address);
    expect(imageAddress("/art/vendor/A/color.svg")).toBe(address);
    const used = new Set(
      Array.from({ length: 20 }, (_, at) => imageAddress(`/art/${at}.svg`).slice(0, 19)),
    );
    expect(used.size).toBe(2);
  });
});
