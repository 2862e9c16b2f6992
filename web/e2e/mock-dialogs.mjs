// Dialogs that wait in the mock server, and the route that answers them. Invented from end to end.
import { agent, asks, question, run, tool, user } from "./mock-data.mjs";

const live = (dialog) => ({ ...dialog, answerable: true, ...(dialog.kind === "question" ? { can_discuss: true } : {}), channel: "live" });
/** As the record tells it: nobody knows there who can answer. */
const recorded = (dialog) => ({ ...dialog, answerable: false, can_discuss: undefined, channel: "none", ...(dialog.kind === "plan" ? { questions: [{ header: "", text: "Go ahead with this plan?", options: [], multi_select: false, free_text: false }] } : {}) });

const asking = (header, text, options, more = {}) => ({ header, text, options, multi_select: false, free_text: true, ...more });

export const approvalOf = (id, title, body, longer = []) =>
  live({ id, kind: "approval", title, body, questions: [asking("Permission", "Allow this?", [{ label: "Allow once" }, ...longer, { label: "Deny", description: "Say what to do instead, if you like" }])] });

const planText = `# Move the settings to their own page

1. Make the route \`/settings\` and its page in \`src/settings/page.tsx\`.
2. Move the four forms there, one commit each; their tests move along unchanged.
3. Keep the old links: the menu leads to the new page.
4. Take the old dialog out once nothing opens it any more.

## What stays

- The wording, which is translated already
- The shape of the stored settings

\`\`\`ts
export const routes = { home: "/", settings: "/settings" };
\`\`\``;

const plan = live({
  id: "call-plan",
  kind: "plan",
  title: "Plan",
  body: planText,
  questions: [
    asking("Plan", "Go ahead with this plan?", [
      { label: "Approve, ask before edits", description: "Carries the plan out and asks before each change" },
      { label: "Approve, edit freely", description: "Carries the plan out and edits files without asking" },
      { label: "Keep planning", description: "Stays in plan mode; say what to change" },
    ]),
  ],
});
const longPlan = { ...plan, id: "call-long-plan", body: `${planText}\n\n${Array.from({ length: 40 }, (_, i) => `## Part ${i + 1}\n\nMove what belongs to part ${i + 1}, run its tests, and look at the page before and after.`).join("\n\n")}\n\nThe plan ends here.` };

const colour = live({
  id: "call-colour",
  kind: "question",
  title: "Which colour?",
  body: "",
  questions: [asking("Colour", "Which colour?", [{ label: "Red", description: "Warm" }, { label: "Blue", description: "Cold" }, { label: "Green", description: "In between" }])],
});
const layout = live({
  id: "call-layout",
  kind: "question",
  title: "Which layout?",
  body: "",
  questions: [
    asking("Layout", "Which layout?", [
      { label: "Stack", description: "One below the other", preview: "+-------------+\n|      A      |\n+-------------+\n|      B      |\n+-------------+" },
      { label: "Row", description: "Side by side, with a line that is far too long for the box that it stands in", preview: "+------+------+\n|  A   |  B   |\n+------+------+   <- the rest of this line is out of sight until it is scrolled" },
    ]),
  ],
});

export const dialogRuns = () => [
  run("plan", "Move the settings page", "question", 1, { pending_dialogs: 1, permission_mode: "plan", last_line: "Plan" }),
  run("longplan", "Split the monolith", "question", 3, { pending_dialogs: 1, permission_mode: "plan", last_line: "Plan" }),
  run("colour", "Paint the door", "question", 1, { pending_dialogs: 1, last_line: "Which colour?" }),
  run("layout", "Draw the front page", "question", 2, { pending_dialogs: 1, last_line: "Which layout?" }),
  run("parallel", "Three things at once", "question", 1, { pending_dialogs: 3, last_line: "Wants to run: make clean" }),
  run("readonly", "Asked in the terminal", "question", 4, { pending_dialogs: 1, last_line: "Asks: which date column" }),
];

const edit = approvalOf("call-edit", "Edit src/door.rs", "```diff\n-const COLOUR: &str = \"red\";\n+const COLOUR: &str = \"blue\";\n```", [{ label: "Allow, and edit freely from now on", description: "For this session" }]);

export const dialogTalks = () => {
  const bank = live({ ...question, id: "call-bank" });
  const push = approvalOf("call-push", "Run git push --tags origin main", "```sh\ngit push --tags origin main\n```", [{ label: "Always allow Bash(git push:*)", description: "In this folder, kept in its local settings" }]);
  const talk = (dialogs, messages) => ({ pending_dialogs: dialogs, messages: [...messages, ...dialogs.filter(({ kind }) => kind !== "approval").map((dialog) => asks(recorded(dialog), 1))] });
  return {
    bank: { pending_dialogs: [bank], asks: recorded(bank) },
    release: { pending_dialogs: [push] },
    plan: talk([plan], [user("Plan first, please.", 4), agent("I looked at the settings dialog and at everything that opens it.", 2)]),
    longplan: talk([longPlan], [user("Plan first, please.", 4)]),
    colour: talk([colour], [user("Paint the door.", 3), agent("I need to know the colour before I begin.", 2)]),
    layout: talk([layout], [user("Draw the front page.", 3)]),
    parallel: talk([colour, edit, approvalOf("call-clean", "Run make clean (subagent a1)", "```sh\nmake clean\n```")], [user("Do three things at once.", 3), tool("Editing src/door.rs", 2, { call_id: "call-edit", status: "running", ended_at: undefined })]),
    readonly: { pending_dialogs: [question], messages: [user("Add an importer.", 6), asks(question, 5)] },
  };
};

const now = () => new Date().toISOString();
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const spoken = (asked, { selected, other_text }) => [...selected.map((at) => asked.options[at].label), ...(other_text ? [other_text] : [])].join(", ");

/** The route that answers, and what a terminal or a race does to it. `next` says how the next answer goes. */
export function answering({ runs, talks, put, receipt, touch, emit, json, problem, revision, nextPosition, idle }) {
  let next = "";
  const pending = (id, dialogs) => {
    talks().get(id).pending_dialogs = dialogs;
    emit("dialog.changed", { run_id: id, pending_dialogs: dialogs });
    touch(id, { pending_dialogs: dialogs.length, state: dialogs.length > 0 ? "question" : "working" });
  };
  const left = (id, dialog) => talks().get(id).pending_dialogs.filter((other) => other.id !== dialog.id);

  /** What the record says once somebody answered. */
  function record(id, dialog, answers, discuss) {
    const talk = talks().get(id);
    const asked = dialog.questions;
    const last = asked[0].options.length - 1;
    const no = dialog.kind !== "question" && !(answers[0].selected[0] < last);
    const message = talk.messages.find((one) => one.dialog?.id === dialog.id);
    if (message) {
      const outcome = discuss !== undefined
        ? { accepted: false, discussed: true, answers: [], ...(discuss === "" ? {} : { detail: discuss }) }
        : dialog.kind === "question"
        ? { accepted: true, answers: asked.map((it, i) => [it.text, spoken(it, answers[i])]) }
        : { accepted: !no, answers: [], ...(no ? { detail: "The user wants to keep planning." } : {}) };
      put(id, { ...message, dialog: { ...message.dialog, outcome }, revision: revision() + 1 });
      return message.position;
    }
    const call = talk.messages.find((one) => one.tool?.call_id === dialog.id);
    const position = call?.position ?? nextPosition(talk);
    const about = { call_id: dialog.id, name: "Shell", title: dialog.title.replace(/^Run/, "Ran"), input: {}, started_at: now(), ended_at: now() };
    put(id, { position, kind: "tool", role: "assistant", time: now(), tool: { ...about, status: no ? "error" : "ok", output: no ? "The user denied this." : "Done." }, revision: revision() + 1 });
    return position;
  }

  async function play(id, dialog, { answers, discuss }, first, how) {
    await wait(how === "hold" ? 1e6 : 900);
    if (how === "fail") {
      const position = record(id, dialog, dialog.questions.map(() => ({ selected: [0] })));
      const here = answers ? `Answered here: ${spoken(dialog.questions[0], answers[0])}` : "Here somebody wanted to talk about it first";
      receipt(id, { ...first, status: "failed", position, detail: `${here}. Recorded by the CLI: ${dialog.questions[0].options[0].label}.` });
    } else receipt(id, { ...first, status: "recorded", position: record(id, dialog, answers, discuss) });
    await wait(150);
    if (left(id, dialog).length === 0) {
      put(id, { position: nextPosition(talks().get(id)), kind: "text", role: "assistant", time: now(), text: "Thank you. I go on." });
      touch(id, { state: "needs_input" });
      await wait(150);
      void idle(id);
    }
  }

  async function answer(response, id, { dialog_id, answers, discuss, client_id }) {
    const how = next;
    next = "";
    const talk = talks().get(id);
    const known = talk.receipts.find((one) => one.client_id === client_id);
    if (known) return json(response, 202, known);
    if (how === "slow") await wait(1500);
    if (how === "refuse") return problem(response, 422, "invalid_answer", "Question 1 has no option 7; the last one is 2.", { field: "answers" });
    if (how === "changed") {
      const other = approvalOf("call-other", "Run rm -r build", "```sh\nrm -r build\n```");
      talk.pending_dialogs = [other];
      return problem(response, 409, "dialog_changed", "Another dialog is open now.", { dialog: other });
    }
    if (how === "moved") {
      const again = { ...talk.pending_dialogs[0], id: "call-again" };
      talk.pending_dialogs = [again];
      return problem(response, 409, "dialog_changed", "Another dialog is open now.", { dialog: again });
    }
    const dialog = how === "none" ? undefined : talk.pending_dialogs.find((one) => one.id === dialog_id);
    if (!dialog) {
      talk.pending_dialogs = talk.pending_dialogs.filter((one) => one.id !== dialog_id);
      return problem(response, 409, "no_dialog", "No dialog is open.");
    }
    const first = { id: `a-${revision()}`, kind: "answer", status: "typed", door: "live", dialog_id, client_id, by: "browser", at: now() };
    receipt(id, first);
    pending(id, left(id, dialog));
    void play(id, dialog, { answers, discuss }, first, how);
    return json(response, 202, first);
  }

  /** `/mock/answer-HOW` and `/mock/terminal-RUN`: true when it was one of these. */
  function control(name) {
    if (name.startsWith("answer-")) next = name.slice(7);
    if (name.startsWith("ask-")) {
      const id = name.slice(4);
      pending(id, [...talks().get(id).pending_dialogs, approvalOf(`call-${revision()}`, "Run make test", "```sh\nmake test\n```")]);
    }
    if (!name.startsWith("terminal-")) return;
    const id = name.slice(9);
    const [dialog] = talks().get(id).pending_dialogs;
    record(id, dialog, dialog.questions.map(() => ({ selected: [1] })));
    pending(id, left(id, dialog));
  }
  return { answer, control, reset: () => { next = ""; }, runs };
}
