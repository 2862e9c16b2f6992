import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { follow, SILENCE, wait, type StreamStatus } from "./stream.ts";

type Call = { url: string; headers: Record<string, string>; signal: AbortSignal; push: (text: string) => void; end: () => void };

let calls: Call[];
let events: [string, string][];
let statuses: StreamStatus[];
let answer: (call: Call) => Response | Error | undefined;
let stop: () => void;
const onFresh = vi.fn();

const fakeFetch = vi.fn((url: string | URL | Request, init?: RequestInit) => {
  let push = (_: string) => {};
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      push = (text) => controller.enqueue(new TextEncoder().encode(text));
      end = () => controller.close();
      init?.signal?.addEventListener("abort", () => {
        try {
          controller.error(new DOMException("aborted", "AbortError"));
        } catch {
          // It had ended before.
        }
      });
    },
  });
  const call: Call = { url: String(url), headers: init?.headers as Record<string, string>, signal: init?.signal as AbortSignal, push, end };
  calls.push(call);
  const special = answer(call);
  if (special instanceof Error) return Promise.reject(special);
  return Promise.resolve(special ?? new Response(body, { status: 200 }));
});

const settle = () => vi.advanceTimersByTimeAsync(0);

function begin(options: { run?: string; cursor?: string } = {}) {
  stop = follow({
    ...options,
    fetch: fakeFetch,
    random: () => 1,
    onEvent: (name, data) => events.push([name, data]),
    onStatus: (status) => statuses.push(status),
    onFresh,
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  events = [];
  statuses = [];
  answer = () => undefined;
  onFresh.mockClear();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test("events come in order, also when a chunk ends in the middle of one", async () => {
  begin();
  await settle();
  calls[0]?.push("event: a\nid: 1\ndata: {}\n\nevent: b\nda");
  await settle();
  calls[0]?.push('ta: {"x":1}\nid: 2\n\n');
  await settle();
  expect(events).toEqual([["a", "{}"], ["b", '{"x":1}']]);
  expect(statuses).toEqual(["live"]);
});

test("characters that are cut between two chunks stay whole", async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const bytes = new TextEncoder().encode("event: a\ndata: né\n\n");
      controller.enqueue(bytes.slice(0, 17));
      controller.enqueue(bytes.slice(17));
    },
  });
  answer = () => new Response(body);
  begin();
  await settle();
  expect(events).toEqual([["a", "né"]]);
});

test("the run and the snapshot's cursor are named in the request", async () => {
  begin({ run: "r 1", cursor: "c/7" });
  await settle();
  expect(calls[0]?.url).toBe("/api/v1/events?run=r+1&cursor=c%2F7");
  expect(calls[0]?.headers).not.toHaveProperty("last-event-id");
});

test("after a lost connection it resumes at the last event that arrived", async () => {
  begin({ cursor: "5" });
  await settle();
  calls[0]?.push("event: a\nid: 6\ndata: {}\n\n");
  await settle();
  calls[0]?.end();
  await vi.advanceTimersByTimeAsync(600);
  expect(calls).toHaveLength(2);
  expect(calls[1]?.headers["last-event-id"]).toBe("6");
  expect(calls[1]?.url).toContain("cursor=6");
  expect(onFresh).toHaveBeenCalledOnce();
});

test("35 silent seconds are a lost connection; a heartbeat is not silence", async () => {
  begin();
  await settle();
  await vi.advanceTimersByTimeAsync(SILENCE - 1000);
  calls[0]?.push("event: heartbeat\ndata: {}\n\n");
  await vi.advanceTimersByTimeAsync(SILENCE - 1000);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(calls[0]?.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(600);
  expect(calls).toHaveLength(2);
});

test("a server that can't be reached is asked again, ever more slowly, and then it counts as lost", async () => {
  answer = () => new TypeError("no");
  begin();
  await settle();
  expect(statuses).toEqual(["connecting"]);
  await vi.advanceTimersByTimeAsync(500);
  expect(calls).toHaveLength(2);
  expect(statuses.at(-1)).toBe("lost");
  await vi.advanceTimersByTimeAsync(999);
  expect(calls).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toHaveLength(3);
  answer = () => undefined;
  await vi.advanceTimersByTimeAsync(2000);
  expect(statuses.at(-1)).toBe("live");
});

test("the wait grows to 15 s and no further, and is spread", () => {
  expect([1, 2, 3, 9].map((failures) => wait(failures, 1))).toEqual([500, 1000, 2000, 15_000]);
  expect(wait(9, 0)).toBe(7500);
});

test("the network's return ends the wait", async () => {
  answer = () => new TypeError("no");
  begin();
  await vi.advanceTimersByTimeAsync(3400);
  const before = calls.length;
  window.dispatchEvent(new Event("online"));
  await settle();
  expect(calls).toHaveLength(before + 1);
});

test("401 ends it: nobody is signed in", async () => {
  answer = () => new Response(null, { status: 401 });
  begin();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statuses).toEqual(["signed_out"]);
  expect(calls).toHaveLength(1);
});

test("500 is tried again", async () => {
  answer = () => new Response(null, { status: 500 });
  begin();
  await vi.advanceTimersByTimeAsync(600);
  expect(calls.length).toBeGreaterThan(1);
});

test("after stop nothing happens any more", async () => {
  begin();
  await settle();
  calls[0]?.push("event: a\ndata: {}\n\n");
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(calls).toHaveLength(1);
  expect(events).toEqual([]);
});
