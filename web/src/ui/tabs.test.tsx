// @vitest-environment happy-dom
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { setStage } from "@/lib/testing/stage";
import { Tabs } from "./tabs";

const tabs = [
  { id: "write", label: "Write" },
  { id: "own", label: "Own" },
] as const;

function Pages() {
  const [current, setCurrent] = useState<"write" | "own">("write");
  return (
    <Tabs label="Pages" tabs={tabs} current={current} onChange={setCurrent}>
      {current === "write" ? (
        <button type="button" onClick={() => setCurrent("own")}>
          {"Send"}
        </button>
      ) : (
        "sent"
      )}
    </Tabs>
  );
}

describe("tabs", () => {
  const page = setStage();

  it("take the focus of what has turned the page and gone with it", async () => {
    await page.show(<Pages />);
    expect(document.activeElement).toBe(document.body);
    page.button("Send")?.focus();
    await page.press("Send");
    expect(page.text()).toContain("sent");
    expect(document.activeElement).toBe(page.button("Own"));
  });

  it("leave the focus where it is otherwise", async () => {
    await page.show(<Pages />);
    page.button("Write")?.focus();
    await page.press("Own");
    expect(document.activeElement).toBe(page.button("Write"));
  });
});
