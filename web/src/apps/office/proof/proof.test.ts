// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { giveUpProof, sendProved, useProof } from "./proof";

type Sent = { method: string; body: string; key: string | null };
const sent: Sent[] = [];
const answers: Response[] = [];

beforeEach(() => {
  sent.length = 0;
  answers.length = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    const key = request.headers.get("Idempotency-Key");
    sent.push({ method: request.method, body: await request.text(), key });
    return answers.shift() ?? Response.json({ success: true, value: "done" });
  });
});
afterEach(() => {
  giveUpProof();
  vi.unstubAllGlobals();
});

const refusal = (code: string, status = 403) =>
  Response.json({ success: false, code, message: "" }, { status });
const needed = () => refusal("staff.proof_needed");

function call(body: string): Request {
  const headers = { "Idempotency-Key": "one-intent" };
  return new Request("http://office.test/office/api/roles/x", { method: "PUT", headers, body });
}

const isAsked = () => useProof.getState().settle !== null;
const settle = (isProved: boolean) => useProof.getState().settle?.(isProved);
const untilAsked = () => vi.waitFor(() => expect(isAsked()).toBe(true));

describe("a call that wants a proof", () => {
  it("is sent once more, as it was, when the proof is there", async () => {
    answers.push(needed());
    const answer = sendProved(call("what I typed"));
    await untilAsked();
    expect(sent).toHaveLength(1);
    settle(true);
    expect(await (await answer).json()).toMatchObject({ value: "done" });
    const one = { method: "PUT", body: "what I typed", key: "one-intent" };
    expect(sent).toEqual([one, one]);
    expect(isAsked()).toBe(false);
  });

  it("is refused, and can be read, where somebody gives up", async () => {
    answers.push(needed());
    const answer = sendProved(call("x"));
    await untilAsked();
    settle(false);
    expect(await (await answer).json()).toMatchObject({ code: "staff.proof_needed" });
    expect(sent).toHaveLength(1);
  });

  it("hears nothing of an answer to a question that is over", async () => {
    answers.push(needed(), needed());
    const first = sendProved(call("a"));
    await untilAsked();
    const { settle: late } = useProof.getState();
    giveUpProof();
    expect((await first).status).toBe(403);
    const second = sendProved(call("b"));
    await untilAsked();
    late?.(true);
    expect(isAsked()).toBe(true);
    settle(true);
    expect((await second).ok).toBe(true);
    expect(sent.map(({ body }) => body)).toEqual(["a", "b", "b"]);
  });

  it("asks nobody where the page was left, or the person was another, before the refusal came", async () => {
    answers.push(needed(), needed());
    const first = sendProved(call("a"));
    giveUpProof();
    expect(await (await first).json()).toMatchObject({ code: "staff.proof_needed" });
    expect(isAsked()).toBe(false);
    expect(sent).toHaveLength(1);
    const second = sendProved(call("b"));
    await untilAsked();
    settle(true);
    expect((await second).ok).toBe(true);
    expect(sent.map(({ body }) => body)).toEqual(["a", "b", "b"]);
  });

  it("asks nobody either where that was while the call was sent once more", async () => {
    answers.push(needed(), needed());
    const answer = sendProved(call("x"));
    await untilAsked();
    settle(true);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    giveUpProof();
    expect((await answer).status).toBe(403);
    expect(isAsked()).toBe(false);
  });

  it("asks again where that proof was not enough", async () => {
    answers.push(needed(), needed());
    const answer = sendProved(call("x"));
    await untilAsked();
    settle(true);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    await untilAsked();
    settle(true);
    expect((await answer).ok).toBe(true);
    expect(sent).toHaveLength(3);
  });

  it("waits with others for one answer", async () => {
    answers.push(needed(), needed());
    const both = [sendProved(call("a")), sendProved(call("b"))];
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    await untilAsked();
    settle(true);
    for (const answer of await Promise.all(both)) expect(answer.ok).toBe(true);
    expect(sent.map(({ body }) => body).toSorted()).toEqual(["a", "a", "b", "b"]);
  });
});

describe("other calls", () => {
  it("are answered at once, whatever is said", async () => {
    answers.push(refusal("staff.not_allowed"), refusal("input.invalid", 400));
    answers.push(new Response("<html>", { status: 403 }));
    for (const status of [403, 400, 403, 200]) {
      expect((await sendProved(call("x"))).status).toBe(status);
    }
    expect(isAsked()).toBe(false);
  });
});
