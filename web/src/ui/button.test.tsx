// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { setStage } from "@/lib/testing/stage";
import { Button } from "./button";

describe("a button", () => {
  const page = setStage();
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  const onClick = vi.fn();
  const show = (busy: boolean) =>
    page.show(
      <form onSubmit={onSubmit}>
        <input name="code" />
        <Button type="submit" busy={busy} onClick={onClick}>
          {"send"}
        </Button>
      </form>,
    );

  // A click is what Enter in a field gives to the button of its form.
  it("takes no second press while it is busy", async () => {
    await show(true);
    await page.press("send");
    expect(onClick).not.toHaveBeenCalled();
    expect(onSubmit).not.toHaveBeenCalled();
    await show(false);
    await page.press("send");
    expect(onClick).toHaveBeenCalledOnce();
    expect(onSubmit).toHaveBeenCalledOnce();
  });
});
