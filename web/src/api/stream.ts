/**
 * The one road on which news arrives. It knows HTTP, lost connections and time;
 * it knows no store. A SharedWorker can take its place: the shape is `follow`.
 */
import { createParser } from "eventsource-parser";
import { url } from "./http.ts";

export type StreamStatus = "connecting" | "live" | "lost" | "signed_out";

export type StreamOptions = {
  /** The run whose messages are wanted beside the summaries of all. */
  run?: string | undefined;
  /** Where the snapshot ended: every change after it comes once, in order. */
  cursor?: string | undefined;
  onEvent: (name: string, data: string) => void;
  onStatus: (status: StreamStatus) => void;
  /** Connected without a place to resume from: summaries may have changed unseen. */
  onFresh?: () => void;
  fetch?: typeof globalThis.fetch;
  /** 0 to 1; spreads the reconnects of many tabs. */
  random?: () => number;
};

/** The server sends a heartbeat every 15 s: two missed ones and a bit. */
export const SILENCE = 35_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

export function wait(failures: number, random: number): number {
  const full = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, failures - 1));
  return full / 2 + (full / 2) * random;
}

/** Follows the stream, through every lost connection, until the returned function is called. */
export function follow(options: StreamOptions): () => void {
  const request = options.fetch ?? globalThis.fetch.bind(globalThis);
  const random = options.random ?? Math.random;
  let lastId: string | undefined;
  let failures = 0;
  let stopped = false;
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function connect(): Promise<void> {
    const controller = new AbortController();
    attempt = controller;
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => controller.abort(), SILENCE);
    };
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        if (stopped || controller.signal.aborted) return;
        failures = 0;
        options.onEvent(event ?? "message", data);
        if (id) lastId = id;
      },
    });
    try {
      heard();
      const cursor = lastId ?? options.cursor;
      const response = await request(url("events", { run: options.run, cursor }), {
        credentials: "same-origin",
        cache: "no-store",
        headers: { accept: "text/event-stream", ...(lastId ? { "last-event-id": lastId } : {}) },
        signal: controller.signal,
      });
      if (response.status === 401) {
        stop();
        options.onStatus("signed_out");
        return;
      }
      if (!response.ok || !response.body) throw new Error(`events: ${response.status}`);
      options.onStatus("live");
      if (!lastId) options.onFresh?.();
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || stopped) break;
        heard();
        parser.feed(decoder.decode(value, { stream: true }));
      }
    } catch {
      // A lost connection, a silent one, or a server that said no: all wait and try again.
    } finally {
      clearTimeout(watchdog);
      controller.abort();
    }
    if (!stopped) later();
  }

  function later() {
    failures += 1;
    options.onStatus(failures > 1 || !navigator.onLine ? "lost" : "connecting");
    timer = setTimeout(() => void connect(), wait(failures, random()));
  }

  /** The network is back, or the person is: no reason to sit out the wait. */
  function hurry() {
    if (stopped || timer === undefined || document.visibilityState === "hidden") return;
    if (attempt && !attempt.signal.aborted) return;
    clearTimeout(timer);
    timer = undefined;
    void connect();
  }

  function stop() {
    stopped = true;
    clearTimeout(timer);
    attempt?.abort();
    window.removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
  }

  window.addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  void connect();
  return stop;
}
