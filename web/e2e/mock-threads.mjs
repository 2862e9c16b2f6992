// Sample data for what stands beside the main line: earlier epochs, left branches, hidden records, subagents.
import { agent, ago, life, run, tool, user } from "./mock-data.mjs";

const sub = (title, minutes, view, more = {}) => tool(title, minutes, { name: "Task", view: { type: "subagent", ...view }, ...more }, 41);

/** Epochs of runs, oldest first. The last one is the current one, whose messages stand with the conversation. */
export const epochs = {
  nom: [
    { id: "nom-start", reason: "startup", started_at: ago(300), messages: [life("started", 300), user("What does this crate do?", 299), agent("It reads and writes ASN.1, in the *distinguished* encoding only.", 298)] },
    { id: "nom-e0", reason: "compact", started_at: ago(200), messages: many() },
    { id: "nom-e1", reason: "clear", started_at: ago(40) },
  ],
  cleared: [
    { id: "cleared-e0", reason: "startup", started_at: ago(80), messages: [user("Count the lines.", 79), agent("There are 4,012.", 78)] },
    { id: "cleared-e1", reason: "clear", started_at: ago(3) },
  ],
  forked: [
    { id: "forked-gone", reason: "startup", started_at: ago(90) },
    { id: "forked-e1", reason: "fork", started_at: ago(30) },
  ],
};

function many() {
  const messages = [];
  for (let i = 0; i < 70; i += 1) {
    messages.push(user(`Earlier question ${i}`, 199 - i), agent(`Earlier answer ${i}. ${"It was kept in the record. ".repeat(i % 5)}`, 199 - i));
  }
  return messages;
}

/** By run, then by the subagent's id. */
export function subagents() {
  return {
    login: {
      a1: {
        messages: [
          user("Read the logs of Monday. Say which query takes the time, with numbers.", 17, { agent: "a1" }),
          agent("I look at the slow log first.", 17, { agent: "a1" }),
          tool("Ran grep -c slow app.log", 17, { view: { type: "command", command: "grep -c slow app.log", exit_code: 0 }, output: "412" }),
          sub("Asked a subagent to count by query", 17, { description: "Count the slow lines by query", agent: "a1-1" }, { output: "One query has 398 of 412." }),
          agent("The time goes into **one** query.", 16, { agent: "a1" }),
        ],
      },
      "a1-1": { messages: [user("Count the slow lines by query.", 17), agent("One query has 398 of 412.", 17)] },
      broken: { problem: true, messages: [] },
      silent: { messages: [] },
      long: { messages: steps(110) },
    },
    notes: { n1: { messages: [user("Read incident-1.md to incident-9.md and say what repeats.", 30), agent("Reading the first one.", 30)] }, n2: { messages: [] } },
  };
}

function steps(count) {
  const messages = [];
  for (let i = 0; i < count; i += 1) messages.push(agent(`Step ${i} is done.`, 16));
  return messages;
}

export function threadRuns() {
  return [
    run("rewound", "Two ways to cache", "idle", 50, { cwd: "/home/me/work/shop", branch: "main" }),
    run("cleared", "Count everything", "needs_input", 3, { cwd: "/home/me/work/ledger" }),
    run("forked", "A fork of the parser", "idle", 30, { cwd: "/home/me/work/asn1" }),
    run("cards", "What the subagents did", "idle", 60, { cwd: "/home/me/work/shop" }),
    run("tall", "A long question", "question", 1, { cwd: "/home/me/work/shop", pending_dialogs: 1 }),
  ];
}

const left = { abandoned: true };

const tall = {
  id: "dlg-tall",
  kind: "question",
  title: "How should the cache be kept?",
  questions: [0, 1, 2].map((i) => ({
    header: `Part ${i + 1}`,
    text: `What should happen in part ${i + 1} of the cache when the disk is full?`,
    options: ["Stop writing", "Drop the oldest entries", "Ask again"].map((label) => ({ label, description: `${label}, and say so in the log of the server where the person who runs it can read it` })),
    multi_select: false,
    free_text: true,
  })),
  answerable: false,
  channel: "none",
};

export function threadTalks() {
  return {
    rewound: {
      messages: [
        user("Add a cache to the price lookup.", 60),
        life("hidden", 60, "<system-reminder>\nThe list of open tasks is empty. Don't mention this to the person.\n</system-reminder>"),
        tool("Read src/price.rs", 59, { view: { type: "read", path: "src/price.rs" }, output: "fn price() {}" }),
        life("hidden", 59, "context: src/price.rs was changed on disk after it was read"),
        life("unknown", 59, '{"type":"attachment-9","size":12}'),
        tool("Read src/shop.rs", 59, { view: { type: "read", path: "src/shop.rs" }, output: "fn shop() {}" }),
        agent("There are two ways: in memory, or in the database.", 58),
        user("In the database.", 57, left),
        { ...tool("Ran sqlx migrate add cache", 57, { view: { type: "command", command: "sqlx migrate add cache", exit_code: 0 }, output: "Creating migrations" }), ...left },
        agent("The cache is a **table** now, with an index on `sku`.\n\n```sql\ncreate table cache (sku text primary key);\n```", 56, left),
        user("In memory, please.", 55),
        agent("The cache is a map with 1,000 entries.", 54),
        life("unknown", 54),
      ],
    },
    cleared: { messages: [life("cleared", 3)] },
    forked: { messages: [user("Go on from here.", 29), agent("Going on.", 28)] },
    tall: { messages: [...Array.from({ length: 8 }, (_, i) => agent(`Thought ${i} about the cache. ${"It is a plain sentence. ".repeat(6)}`, 20)), { position: "99000.0", kind: "dialog", role: "assistant", time: ago(1), dialog: tall, revision: 1 }], pending_dialogs: [tall] },
    cards: {
      messages: [
        user("Look into it with subagents.", 60),
        sub("Broken record", 59, { description: "Its record can't be read", agent: "broken" }, { output: "It answered all the same." }),
        sub("Silent one", 59, { description: "Never wrote anything", agent: "silent" }, { output: "" }),
        sub("Long one", 59, { description: "Goes through 110 steps", agent: "long" }, { output: "Step 109 is done." }),
      ],
    },
  };
}
