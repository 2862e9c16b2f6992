// The queue of the mock server, and the books of everything that was sent. Invented from end to end.
import { agent, ago, asks, question, run, tool, user } from "./mock-data.mjs";

const held = (id, text, cause, reason, more = {}) => ({ id, text, when: "now", cause, reason, by: "browser", at: ago(2), ...more });
const REASONS = {
  dialog: "A question is open; it is sent when that is answered.",
  turn: "It is sent when the agent is at rest.",
  order: "It is sent when what was sent before it is done.",
  draft: "Somebody's draft stands in the terminal. It is sent when that is gone; or send it anyway, and the draft comes back afterwards.",
  epoch: "It was meant for the conversation before this one. Send it here, or take it out of the queue.",
  doubt: "seamux stopped while this was being typed, and the agent has no record of it. Look at the terminal, then send it or take it out of the queue.",
};

export const queueRuns = () => [
  run("queue", "Move the shop to the new prices", "working", 3, { queued: 3, last_line: "Editing src/prices.rs" }),
  run("drafted", "Somebody is typing", "needs_input", 2, { queued: 1 }),
  run("decide", "Two to decide", "needs_input", 5, { queued: 3, epoch: "decide-e2" }),
  run("books", "Who said what", "needs_input", 9),
];

export const queueTalks = () => ({
  queue: {
    messages: [user("Move the shop to the new prices.", 6), tool("Edited src/prices.rs", 3, { view: { type: "read", path: "src/prices.rs" }, output: "" })],
    queued: [
      held("q-1", "Then run the tests, all of them, and say which of the old ones had to change and why they had to.", "turn", REASONS.turn, { when: "after_turn" }),
      held("q-2", "And update the changelog.", "turn", REASONS.turn, { when: "after_turn", by: "token" }),
      held("q-3", "/compact", "turn", "A command is sent when the agent is at rest."),
    ],
    receipts: [{ id: "q-1", kind: "reply", status: "queued", door: "keys", client_id: "b-0a0a0a0a.1", by: "browser", at: ago(2) }],
  },
  drafted: { messages: [user("Say hello.", 4), agent("Hello.", 3)], queued: [held("q-4", "Now say it in Welsh.", "draft", REASONS.draft)] },
  decide: {
    messages: [user("Begin again.", 3), agent("I begin again.", 2)],
    queued: [held("q-5", "Fix the second bug as well.", "epoch", REASONS.epoch), held("q-6", "git push, please", "doubt", REASONS.doubt), held("q-7", "And a third one.", "order", REASONS.order)],
  },
  books: { messages: books(), pending_dialogs: [] },
});

function books() {
  const said = user("Add an importer for the CSV files.", 30, { receipt: { by: "token" } });
  const asked = { ...asks({ ...question, id: "b-d1", outcome: { accepted: true, answers: question.questions.map(({ text }, i) => [text, i === 0 ? "Value date" : "No category"]) } }, 28), receipt: { kind: "answer", door: "live", dialog_id: "b-d1", by: "browser", client_id: "b-0a0a0a0a.2" } };
  const wrong = { ...asks({ ...question, id: "b-d2", title: "Which bank first?", questions: [question.questions[0]], outcome: { accepted: true, answers: [[question.questions[0].text, "Booking date"]] } }, 20), receipt: { kind: "answer", door: "live", dialog_id: "b-d2", by: "browser", client_id: "b-0a0a0a0a.3", status: "failed", detail: "Answered here: Value date. Recorded by the CLI: Booking date." } };
  return [said, agent("Which column is the date?", 29), asked, agent("Done.", 25), wrong, user("Thank you.", 12, { receipt: { by: "browser", client_id: "b-0a0a0a0a.4" } }), agent("You are welcome.", 11)];
}

const now = () => new Date().toISOString();
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Holds what can't go now, and lets it go when it can. `play` types it. */
export function queueing({ runs, talks, receipt, touch, emit, json, problem, play }) {
  /** Changes of the queue come too late for the next request. */
  let late = false;
  const whens = new Map();
  const of = (id) => talks().get(id);
  const publish = (id) => {
    emit("queue.changed", { run_id: id, queued: of(id).queued });
    touch(id, { queued: of(id).queued.length });
  };
  const first = (id, entry) => of(id).receipts.find((one) => one.id === entry.id) ?? { id: entry.id, kind: "reply", status: "queued", door: "keys", by: entry.by, at: entry.at };

  function why(id, when, text) {
    const one = runs().get(id);
    if (of(id).pending_dialogs.length > 0) return "dialog";
    if (text.includes("hold")) return "draft";
    if (text.includes("fail to send")) return undefined;
    if (when === "after_turn" && one.state === "working") return "turn";
    return of(id).queued.some(({ cause }) => cause !== "epoch" && cause !== "doubt") ? "order" : undefined;
  }

  /** True if it is held. */
  function hold(id, { text, when = "now" }, receipted) {
    const cause = why(id, when, text);
    if (!cause) return false;
    of(id).queued.push({ id: receipted.id, text, when, cause, reason: REASONS[cause], by: receipted.by, at: now() });
    receipt(id, { ...receipted, status: "queued", detail: REASONS[cause] });
    publish(id);
    return true;
  }

  function release(id, entry) {
    of(id).queued = of(id).queued.filter((one) => one.id !== entry.id);
    publish(id);
    return play(id, entry.text, first(id, entry));
  }

  /** Everything that waits for nothing but what is over now, one after the other. */
  async function drain(id) {
    for (;;) {
      const next = of(id).queued.find(({ cause }) => cause !== "epoch" && cause !== "doubt" && cause !== "draft");
      if (!next) return;
      await release(id, next);
      await wait(200);
    }
  }

  function edit(response, id, entry, { text, when, before }) {
    const one = of(id).queued.find(({ id: own }) => own === entry);
    if (text?.startsWith("/model")) return problem(response, 409, "refused", "This command opens a screen in the terminal.", { hint: "Attach, and type it there." });
    if (before !== undefined) {
      const others = of(id).queued.filter((other) => other !== one);
      const at = before === null ? others.length : others.findIndex((other) => other.id === before);
      of(id).queued = others.toSpliced(at, 0, one);
    }
    const next = { ...one, ...(text === undefined ? {} : { text }), ...(when === undefined ? {} : { when }) };
    of(id).queued = of(id).queued.map((other) => (other === one ? next : other));
    publish(id);
    json(response, 200, first(id, next));
    if (when === "now" && ["draft", "epoch", "doubt", "turn"].includes(one.cause)) setTimeout(() => void release(id, next), 120);
  }

  async function route(request, response, id, entry, body) {
    await wait(60);
    const one = of(id).queued.find(({ id: own }) => own === entry);
    if (late && one) of(id).queued = of(id).queued.filter((other) => other !== one);
    if (late || !one) {
      late = false;
      return problem(response, 409, "already_sent", "This reply is not held any more.");
    }
    if (request.method === "PATCH") return edit(response, id, entry, body);
    of(id).queued = of(id).queued.filter((other) => other !== one);
    const over = { ...first(id, one), status: "failed", detail: "Taken out of the queue (browser)." };
    receipt(id, over);
    publish(id);
    return json(response, 200, over);
  }

  /** The books: each receipt, and the words that no message keeps. */
  const audit = (id) =>
    of(id).receipts.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map((one) => {
      const text = of(id).queued.find((entry) => entry.id === one.id)?.text ?? whens.get(one.id);
      const dialog = of(id).messages.find((message) => message.dialog?.id === one.dialog_id)?.dialog;
      const answers = dialog?.questions.map((_, i) => ({ selected: [i === 0 ? 1 : 0] }));
      return Object.assign({}, one, text && one.status !== "recorded" && { text }, dialog && { dialog, answers });
    });

  /** `/mock/late`, `/mock/drain-RUN`, `/mock/leave-RUN`: the next change is too late; all of it goes; the first goes. */
  function control(name) {
    if (name === "late") late = true;
    const [, what, id] = /^(drain|leave)-(.+)$/.exec(name) ?? [];
    if (what === "drain") void drain(id);
    if (what === "leave") void release(id, of(id).queued[0]);
  }
  return { hold, drain, route, audit, control, note: (id, text) => whens.set(id, text), reset: () => { late = false; } };
}
