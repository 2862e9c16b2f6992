// Plays the server's contract with sample data, for work on the page and for its own tests. No dependencies.
// node e2e/mock-server.mjs [port]; PORT, MOCK_ONLY_DEMO=1 and MOCK_EMPTY=1 are read too.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { ago, conversations, longAnswer, providers, run as makeRun, runs as sampleRuns } from "./mock-data.mjs";

import { answering, dialogRuns, dialogTalks } from "./mock-dialogs.mjs";
import { queueing, queueRuns, queueTalks } from "./mock-queue.mjs";
import { epochs, subagents, threadRuns, threadTalks } from "./mock-threads.mjs";

const dist = join(import.meta.dirname, "..", "dist");
const port = Number(process.argv[2] ?? process.env.PORT ?? 4180);
export const TOKEN = "mock-token";
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json", ".json": "application/json" };

let runs;
let talks;
let log;
let revision;
let subs;
let dialogs;
let queue;
const streams = new Set();

function reset() {
  delete epochs.demo;
  const all = process.env.MOCK_EMPTY ? [] : [...sampleRuns(), ...threadRuns(), ...dialogRuns(), ...queueRuns()];
  runs = new Map(all.filter(({ id }) => !process.env.MOCK_ONLY_DEMO || id === "demo").map((one) => [one.id, one]));
  talks = new Map(
    Object.entries({ ...conversations(), ...threadTalks(), ...queueTalks() }).map(([id, talk]) => [id, { receipts: [], pending_dialogs: [], queued: [], tail: null, transcript: "available", ...talk }]),
  );
  for (const [id, more] of Object.entries(dialogTalks())) {
    const { asks, ...talk } = { receipts: [], queued: [], tail: null, transcript: "available", ...talks.get(id), ...more };
    const messages = asks ? talk.messages.map((one) => (one.dialog ? Object.assign(one, { dialog: asks }) : one)) : talk.messages;
    talks.set(id, { ...talk, messages });
  }
  dialogs?.reset();
  queue?.reset();
  for (const talk of talks.values()) {
    for (const message of talk.messages) {
      const { receipt: more } = message;
      delete message.receipt;
      if (more) talk.receipts.push({ id: `r-${message.position}`, kind: "reply", status: "recorded", door: "keys", position: message.position, by: "phone", at: message.time, ...(more === true ? {} : more) });
    }
  }
  subs = subagents();
  subs.cards = subs.login;
  log = [];
  revision = 0;
}
reset();

const wanted = (stream, change) => !change.run_id || stream.run === change.run_id;
const frame = ({ id, name, data }) => `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

function emit(name, data) {
  revision += 1;
  const entry = { id: String(revision), name, data };
  log.push(entry);
  for (const stream of streams) if (wanted(stream, data)) stream.response.write(frame(entry));
}

const touch = (id, change) => {
  const next = { ...runs.get(id), ...change, last_activity_at: new Date().toISOString() };
  runs.set(id, next);
  emit("run.changed", { run: next });
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const nextPosition = (talk) => `${Number((talk.messages.at(-1)?.position ?? "0.0").split(".")[0]) + 700}.0`;

function put(id, message) {
  const talk = talks.get(id);
  const whole = { revision: revision + 1, ...message };
  const index = talk.messages.findIndex((one) => one.position === whole.position);
  if (index < 0) talk.messages.push(whole);
  else talk.messages[index] = whole;
  talk.transcript = "available";
  emit("message.upsert", { run_id: id, epoch: runs.get(id).epoch, message: whole });
  return whole;
}

function receipt(id, one) {
  const talk = talks.get(id);
  talk.receipts = [...talk.receipts.filter((had) => had.id !== one.id), one];
  emit("receipt", { run_id: id, receipt: one });
}

function tail(id, text) {
  talks.get(id).tail = text === null ? null : { text };
  emit("tail.changed", { run_id: id, epoch: runs.get(id).epoch, tail: talks.get(id).tail });
}

const now = () => new Date().toISOString();

async function play(id, text, first) {
  const talk = talks.get(id);
  await wait(150);
  if (text.includes("fail to send")) {
    receipt(id, { ...first, status: "failed", detail: "The agent's record did not show this message within 20 s. It may still stand in the terminal." });
    return;
  }
  receipt(id, { ...first, status: "typed" });
  touch(id, { state: "working" });
  await wait(350);
  const mine = put(id, { position: nextPosition(talk), kind: "text", role: "user", time: now(), text });
  receipt(id, { ...first, status: "recorded", position: mine.position });
  await wait(200);
  if (text.includes("safe tool")) {
    const position = nextPosition(talk);
    const call = { call_id: `c-${position}`, name: "Shell", title: "Ran date", input: { command: "date" }, status: "running", view: { type: "command", command: "date" }, started_at: now() };
    put(id, { position, kind: "tool", role: "assistant", time: now(), tool: call });
    await wait(500);
    put(id, { position, kind: "tool", role: "assistant", time: now(), tool: { ...call, status: "ok", output: "Mon Nov 30 12:00:00 UTC", ended_at: now() } });
    put(id, { position: nextPosition(talk), kind: "text", role: "assistant", time: now(), text: "The tool has run." });
  } else if (text.includes("stream a long answer")) {
    for (let i = 24; i < longAnswer.length; i += 24) {
      tail(id, longAnswer.slice(0, i));
      await wait(Number(process.env.MOCK_STEP ?? 40));
    }
    put(id, { position: nextPosition(talk), kind: "text", role: "assistant", time: now(), text: longAnswer });
    tail(id, null);
  } else {
    put(id, { position: nextPosition(talk), kind: "text", role: "assistant", time: now(), text: `You said: ${text}` });
  }
  touch(id, { state: "needs_input", last_line: text });
}

queue = queueing({ runs: () => runs, talks: () => talks, receipt, touch, emit, json: (...all) => json(...all), problem: (...all) => problem(...all), play });

dialogs = answering({ runs, talks: () => talks, put, receipt, touch, emit, json: (...all) => json(...all), problem: (...all) => problem(...all), revision: () => revision, nextPosition, idle: (id) => queue.drain(id) });

const order = (position) => Number(position.split(".")[0]);

function page(messages, query, limit) {
  const before = query.get("before");
  const all = before ? messages?.filter(({ position }) => order(position) < order(before)) : messages;
  return { messages: all?.slice(-limit), has_more: (all?.length ?? 0) > limit };
}

/** What a subagent did: the shape of a snapshot, without what only the run has. */
async function subagent(response, id, agent, query) {
  const thread = subs[id]?.[agent];
  await wait(200);
  if (!thread) return problem(response, 404, "subagent_not_found", "This run has no subagent with this id.");
  if (thread.problem) return problem(response, 500, "unreadable", "The record of this subagent is not text.", { hint: "Attach to see it in the terminal." });
  const limit = Math.min(500, Number(query.get("limit") ?? 100));
  return json(response, 200, { run_id: id, epoch: runs.get(id).epoch, epochs: [], ...page(thread.messages, query, limit), cursor: String(revision), transcript: "available", asked: (thread.asked = (thread.asked ?? 0) + 1) });
}

function snapshot(id, query) {
  const talk = talks.get(id);
  const one = runs.get(id);
  const limit = Math.min(500, Number(query.get("limit") ?? 100));
  const known = epochs[id] ?? [{ id: one.epoch, reason: "startup", started_at: one.created_at }];
  const epoch = query.get("epoch") ?? one.epoch;
  const { messages = [], has_more } = page(epoch === one.epoch ? talk.messages : known.find((entry) => entry.id === epoch)?.messages, query, limit);
  const { pending_dialogs, queued, receipts, transcript } = talk;
  return {
    run_id: id, epoch, epochs: known.map(({ messages: _, ...entry }) => entry), messages, has_more, state: one.state,
    pending_dialog: pending_dialogs[0] ?? null, pending_dialogs, queued, context_usage: one.context_usage ?? null,
    cursor: String(revision), transcript, tail: talk.tail, receipts,
  };
}

const json = (response, status, value, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(value === undefined ? undefined : JSON.stringify(value));
};
const problem = (response, status, code, detail, more = {}) =>
  json(response, status, { type: `/problems/${code}`, title: code, status, code, detail, ...more }, { "content-type": "application/problem+json" });

async function body(request) {
  let text = "";
  for await (const part of request) text += part;
  return text === "" ? {} : JSON.parse(text);
}

function events(request, response, query) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" });
  const stream = { response, run: query.get("run") ?? undefined };
  const from = request.headers["last-event-id"] ?? query.get("cursor");
  response.write(": hello\n\n");
  if (from !== null && from !== undefined) {
    if (Number(from) > revision) response.write("event: resync\ndata: {}\n\n");
    else for (const entry of log.slice(Number(from))) if (wanted(stream, entry.data)) response.write(frame(entry));
  }
  streams.add(stream);
  const beat = setInterval(() => response.write(`event: heartbeat\ndata: {"time":"${new Date().toISOString()}"}\n\n`), 15_000);
  response.on("close", () => {
    clearInterval(beat);
    streams.delete(stream);
  });
}

async function runRoutes(request, response, id, rest, query) {
  const one = runs.get(id);
  if (!one) return problem(response, 404, "not_found", "There is no run with this id.");
  const talk = talks.get(id);
  if (rest === "messages") {
    if (query.get("before")) await wait(Number(process.env.MOCK_PAGE ?? 250));
    const gone = query.get("epoch")?.endsWith("-gone");
    if (gone) return problem(response, 422, "record_gone", "The record of this part is not on this machine any more.", { hint: "It may be in a backup of the agent's folder." });
    return json(response, 200, snapshot(id, query));
  }
  const [, who] = /^subagents\/([^/]+)\/messages$/.exec(rest) ?? [];
  if (who) return subagent(response, id, decodeURIComponent(who), query);
  if (rest.startsWith("messages/")) {
    const message = talk.messages.find(({ position }) => position === rest.slice(9));
    return json(response, 200, { ...message, cut: undefined, tool: message.tool && { ...message.tool, output: "The whole of it." } });
  }
  if (rest === "attach") return json(response, 200, one.attach);
  if (rest === "reply") {
    const { text, client_id, when } = await body(request);
    if (text.includes("refuse this")) return problem(response, 422, "too_long", "The text is longer than the agent takes.", { hint: "Put it in a file and name the file." });
    const first = { id: `r-${revision}-${client_id.slice(-4)}`, kind: "reply", status: "accepted", door: "keys", client_id, by: "browser", at: new Date().toISOString() };
    receipt(id, first);
    queue.note(first.id, text);
    if (!queue.hold(id, { text, when }, first)) void play(id, text, first);
    return json(response, 202, first);
  }
  if (rest === "audit") return json(response, 200, { entries: queue.audit(id) });
  const [, entry] = /^queue\/(.+)$/.exec(rest) ?? [];
  if (entry) return queue.route(request, response, id, decodeURIComponent(entry), await body(request));
  if (rest === "answer") return dialogs.answer(response, id, await body(request));
  if (rest === "interrupt") {
    const first = { id: `i-${revision}`, kind: "interrupt", status: "accepted", door: "keys", by: "browser", at: new Date().toISOString() };
    touch(id, { state: "needs_input" });
    return json(response, 202, first);
  }
  if (rest === "stop") {
    touch(id, { state: "ended", ended_at: new Date().toISOString(), exit: { code: 0 }, pending_dialogs: 0 });
    return json(response, 202, {});
  }
  if (rest === "resume") {
    touch(id, { state: "needs_input", ended_at: undefined, exit: undefined });
    return json(response, 202, runs.get(id));
  }
  return problem(response, 404, "not_found", "There is no such route.");
}

async function start(request, response) {
  const wish = await body(request);
  if (!wish.cwd?.startsWith("/")) return problem(response, 422, "invalid", "This is not a full path.", { field: "cwd", hint: "Begin with /" });
  if (wish.cwd.includes("missing")) return problem(response, 422, "invalid", "There is no such folder on this machine.", { field: "cwd" });
  const id = `new-${revision}`;
  talks.set(id, { messages: [], receipts: [], pending_dialogs: [], queued: [], tail: null, transcript: "locating" });
  runs.set(id, makeRun(id, wish.prompt ?? "New run", "idle", 0, { cwd: wish.cwd, created_at: ago(0), ...(wish.model ? { model: wish.model } : {}) }));
  emit("run.changed", { run: runs.get(id) });
  return json(response, 201, runs.get(id));
}

async function api(request, response, url) {
  const path = url.pathname.slice("/api/v1/".length);
  if (path === "session" && request.method === "POST") {
    const { token } = await body(request);
    if (token !== TOKEN) return problem(response, 401, "bad_token", "This token is not the one of this server.");
    response.writeHead(204, { "set-cookie": `seamux=${TOKEN}; HttpOnly; SameSite=Strict; Path=/` });
    return response.end();
  }
  if (!(request.headers.cookie ?? "").includes(`seamux=${TOKEN}`)) return problem(response, 401, "unauthorized", "Sign in first.");
  if (path === "providers") return json(response, 200, { providers });
  if (path === "runs") return request.method === "POST" ? start(request, response) : json(response, 200, { runs: [...runs.values()], cursor: String(revision) });
  if (path === "events") return events(request, response, url.searchParams);
  const [, id, rest] = /^runs\/([^/]+)\/?(.*)$/.exec(path) ?? [];
  return id ? runRoutes(request, response, decodeURIComponent(id), rest, url.searchParams) : problem(response, 404, "not_found", "There is no such route.");
}

/** Plays for the tests what the server does by itself. */
function control(name, response) {
  if (name === "subagent") {
    const { n1 } = subs.notes;
    n1.messages.push({ position: nextPosition(n1), kind: "text", role: "assistant", time: now(), text: `Note ${n1.messages.length} is read.`, revision: 1 });
    touch("notes", {});
    return json(response, 200, { asked: n1.asked });
  }
  if (name === "asked") return json(response, 200, { asked: subs.notes.n1.asked ?? 0 });
  if (name === "clear") {
    epochs.demo = [{ id: "demo-e1", reason: "startup", started_at: ago(9), messages: talks.get("demo").messages }, { id: "demo-e2", reason: "clear", started_at: now() }];
    Object.assign(talks.get("demo"), { messages: [], receipts: [] });
    touch("demo", { epoch: "demo-e2" });
    emit("epoch.changed", { run_id: "demo", epoch: "demo-e2" });
  }
  if (name === "rewind") {
    const { messages } = talks.get("demo");
    for (const message of messages.slice(1)) put("demo", { ...message, abandoned: true, revision: revision + 1 });
  }
  if (name === "resync-nom") for (const stream of streams) stream.response.write('event: resync\ndata: {"run":"nom"}\n\n');
  dialogs.control(name);
  queue.control(name);
  if (name === "reset") reset();
  if (name === "drop") for (const stream of streams) stream.response.destroy();
  if (name === "resync") for (const stream of streams) stream.response.write("event: resync\ndata: {}\n\n");
  json(response, 200, { streams: streams.size });
}

function file(response, path) {
  const safe = normalize(path).replace(/^(\.\.[/\\])+/, "");
  let full = join(dist, safe === "/" ? "index.html" : safe);
  if (!existsSync(full) || statSync(full).isDirectory()) full = join(dist, "index.html");
  response.writeHead(200, { "content-type": types[extname(full)] ?? "application/octet-stream", "content-security-policy": CSP, "x-content-type-options": "nosniff" });
  createReadStream(full).pipe(response);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  if (url.pathname.startsWith("/api/v1/")) void api(request, response, url);
  else if (url.pathname.startsWith("/mock/")) control(url.pathname.slice(6), response);
  else file(response, url.pathname);
});
server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/#token=${TOKEN}`));
