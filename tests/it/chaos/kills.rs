//! kill -9 of the server at random moments under load, again and again.
//!
//! `SEAMUX_CHAOS_KILLS=200` makes it long, `SEAMUX_CHAOS_SEED` plays one again.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{Conversation, House};
use crate::live::{Dice, setting, trust};
use crate::workspaces::{git, repository};

/// A house in which everything is sent that is needed, and the server is killed.
struct Siege {
    house: House,
    dice: Dice,
    main: String,
    repo: PathBuf,
    /// The texts of all replies, by the id that their sender gave them.
    sent: BTreeMap<String, String>,
    receipts: BTreeMap<String, String>,
    kills: u64,
    dialogs: usize,
    worktrees: usize,
}

/// Sends without a wait for the answer, which may never come.
fn send_off(house: &House, path: &str, body: &Value) -> JoinHandle<Option<u16>> {
    let (url, bearer) = (format!("{}{path}", house.url), house.bearer());
    let body = body.to_string();
    std::thread::spawn(move || {
        let request = ureq::post(url).header("authorization", bearer);
        let sent = request.header("content-type", "application/json").send(body);
        sent.ok().map(|it| it.status().as_u16())
    })
}

impl Siege {
    fn kill(&mut self, within: u64) {
        std::thread::sleep(Duration::from_millis(self.dice.roll(within)));
        self.kills += 1;
        self.house.kill_server();
        self.house.start_again();
        // One start in four is over before it has seen everything.
        if self.dice.roll(4) == 0 {
            std::thread::sleep(Duration::from_millis(self.dice.roll(80)));
            self.kills += 1;
            self.house.kill_server();
            self.house.start_again();
        }
        self.house.run.clone_from(&self.main);
    }

    /// Some replies on their way, when it happens. The page sends them again.
    fn replies(&mut self, count: u64, first: Option<&str>) {
        let mut bodies = Vec::new();
        for _ in 0..count {
            let (number, when) = (self.sent.len(), *self.dice.pick(&["now", "now", "after_turn"]));
            let text = first.filter(|_| bodies.is_empty()).unwrap_or("echo");
            let (text, client_id) = (format!("{text} k{number}"), format!("c{number}"));
            bodies.push(json!({ "text": text, "client_id": client_id, "when": when }));
            self.sent.insert(client_id, text);
        }
        let path = self.house.run_path("/reply");
        let sent: Vec<_> = bodies.iter().map(|it| send_off(&self.house, &path, it)).collect();
        self.kill(300);
        sent.into_iter().for_each(|it| drop(it.join()));
        for body in &bodies {
            let again = self.house.post(&path, body);
            assert_eq!(again.status, 202, "{}", again.body);
            let client_id = body["client_id"].as_str().unwrap().to_owned();
            self.receipts.insert(client_id, again.body["id"].as_str().unwrap().to_owned());
        }
    }

    /// A dialog that is open over a kill and answered around another one.
    fn dialog(&mut self) {
        // At rest, since a CLI joins what it is told in a turn, and the last word counts.
        self.settle();
        self.replies(1, Some("ask one"));
        let asked = self.house.until("the question", |it| !open(it).is_null());
        let dialog = open(&asked)["id"].as_str().unwrap().to_owned();
        // These are held now, and outlive the kill.
        self.replies(2, None);
        self.house.until("the same question", |it| open(it)["id"] == *dialog);
        let body = json!({ "dialog_id": dialog, "answers": [{ "selected": [1] }] });
        let sent = send_off(&self.house, &self.house.run_path("/answer"), &body);
        self.kill(60);
        drop(sent.join());
        self.house.until("the answer", |it| {
            if open(it)["id"] == *dialog {
                let again = self.house.post(&self.house.run_path("/answer"), &body);
                assert!(matches!(again.status, 202 | 409), "{}", again.body);
            }
            is_answered(it, &dialog)
        });
        self.dialogs += 1;
    }

    /// A worktree that is being made: it is there with its run, or not at all.
    fn worktree(&mut self) {
        let branch = format!("w{}", self.worktrees);
        self.worktrees += 1;
        let body = json!({
            "provider": "claude-code", "cwd": self.repo, "prompt": "echo in the tree",
            "worktree": { "branch": branch },
        });
        let sent = send_off(&self.house, "/api/v1/runs", &body);
        self.kill(250);
        let told = sent.join().unwrap();
        let of_branch = |it: &House| {
            let runs = it.get("/api/v1/runs").body;
            let runs = runs["runs"].as_array().unwrap();
            runs.iter()
                .find(|it| it["branch"] == *branch)
                .map(|it| it["id"].as_str().unwrap().to_owned())
        };
        let Some(run) = of_branch(&self.house) else {
            assert_ne!(told, Some(201), "a run was promised and lost");
            return; // What is left of its tree is looked at in the end.
        };
        self.house.run = run;
        let now = self.house.conversation();
        let tree = PathBuf::from(now.run["cwd"].as_str().unwrap());
        assert!(tree.join("a.txt").is_file(), "a whole tree");
        if now.state() != "ended" {
            assert_eq!(self.house.post(&self.house.run_path("/stop"), &json!({})).status, 202);
            self.house.until("its end", |it| it.state() == "ended");
        }
        let bearer = self.house.bearer();
        let path = self.house.run_path("");
        let forgotten = self.house.send("DELETE", &path, None, &[("authorization", &bearer)]);
        assert_eq!(forgotten.body["worktree"]["parked"], false, "{}", forgotten.body);
        self.house.run.clone_from(&self.main);
    }

    /// A known limit: after kills in a row, a text that was sent already can stand in the
    /// composer. It holds what comes next until a person clears it, as is done here.
    #[expect(clippy::print_stdout, reason = "how often that happens is worth knowing")]
    fn clear_what_stays(&self, seen: &Conversation, since: &Cell<Option<Instant>>) {
        let mut queue = seen.page["queued"].as_array().unwrap().iter();
        if !queue.any(|it| it["cause"] == "draft") {
            return since.set(None);
        }
        let first = since.get().unwrap_or_else(Instant::now);
        since.set(Some(first));
        if first.elapsed() > Duration::from_secs(8) {
            println!("a draft of nobody was cleared");
            self.house.press("C-u");
            since.set(None);
        }
    }

    /// Each reply came to its end, and how.
    fn settle(&self) -> Conversation {
        let draft_since = Cell::new(None);
        self.house.until_within(Duration::from_secs(120), "all replies", |it| {
            self.clear_what_stays(it, &draft_since);
            for entry in it.page["queued"].as_array().unwrap() {
                // A person looks, sees that the agent does not have it, and sends it.
                let said = it.texts("user").contains(&entry["text"].as_str().unwrap());
                if entry["cause"] == "doubt" && !said {
                    let path =
                        self.house.run_path(&format!("/queue/{}", entry["id"].as_str().unwrap()));
                    self.house.send_json("PATCH", &path, &json!({ "when": "now" }));
                }
            }
            let is_over = |id: &String| {
                matches!(it.receipt(id)["status"].as_str(), Some("recorded" | "failed"))
            };
            self.receipts.values().all(is_over) && it.state() == "needs_input"
        })
    }
}

/// The first dialog that waits at the live door.
fn open(seen: &Conversation) -> &Value {
    let pending = seen.page["pending_dialogs"].as_array().unwrap();
    pending.iter().find(|it| it["channel"] == "live").unwrap_or(&Value::Null)
}

fn is_answered(seen: &Conversation, dialog: &str) -> bool {
    let mut dialogs = seen.messages().iter().map(|it| &it["dialog"]);
    dialogs.any(|it| it["id"] == dialog && !it["outcome"].is_null())
}

/// Everything of a worktree that has no run goes in the background after a start.
fn trees(house: &House, repo: &Path) -> Vec<String> {
    let folders = std::fs::read_dir(house.dir.path().join("state/worktrees"));
    let folders =
        folders.into_iter().flatten().flat_map(|it| std::fs::read_dir(it.unwrap().path()));
    let folders = folders.flatten().map(|it| it.unwrap().path().display().to_string());
    let listed = git(repo, &["worktree", "list", "--porcelain"]);
    let listed = listed.lines().filter_map(|it| it.strip_prefix("worktree ")).skip(1);
    let branches = git(repo, &["branch", "--format=%(refname:short)"]);
    let branches = branches.lines().filter(|it| *it != "main");
    folders.chain(listed.map(Into::into)).chain(branches.map(Into::into)).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "a seed that nobody sees can't be played again")]
fn kill_9_at_random_moments_under_load_loses_and_doubles_nothing() {
    let seed = setting("SEAMUX_CHAOS_SEED", u64::from(std::process::id()));
    let kills = setting("SEAMUX_CHAOS_KILLS", 20);
    println!("SEAMUX_CHAOS_SEED={seed} SEAMUX_CHAOS_KILLS={kills}");
    let house = House::demo_in(trust);
    let repo = house.dir.path().join("shop");
    repository(&repo);
    let mut it = Siege {
        main: house.run.clone(),
        house,
        repo,
        dice: Dice(seed),
        sent: BTreeMap::new(),
        receipts: BTreeMap::new(),
        kills: 0,
        dialogs: 0,
        worktrees: 0,
    };
    while it.kills < kills {
        match it.dice.roll(6) {
            0 => it.dialog(),
            1 => it.worktree(),
            2 => it.replies(1, Some("slow lines")),
            count => it.replies(count - 1, None),
        }
    }
    let end = it.settle();
    let said = end.texts("user");
    let mut wrong = Vec::new();
    let mut failed = 0;
    for (client_id, text) in &it.sent {
        let receipt = end.receipt(&it.receipts[client_id]);
        let times = said.iter().filter(|it| *it == text).count();
        let expected = usize::from(receipt["status"] == "recorded");
        failed += 1 - expected;
        if times != expected || expected == 0 && receipt["detail"].is_null() {
            wrong.push(format!("{times} times, {receipt}: {text}"));
        }
    }
    let open = end.page["receipts"].as_array().unwrap().iter();
    wrong.extend(
        open.filter(|it| it["status"] != "recorded" && it["detail"].is_null())
            .map(Value::to_string),
    );
    let Siege { sent, kills, dialogs, worktrees, .. } = &it;
    println!(
        "{kills} kills, {} replies ({failed} failed with a reason), {dialogs} dialogs, {worktrees} worktrees",
        sent.len()
    );
    assert!(wrong.is_empty(), "seed {seed}\n{}\n{said:#?}\n{}", wrong.join("\n"), it.house.log());
    let deadline = Instant::now() + Duration::from_secs(30);
    while !trees(&it.house, &it.repo).is_empty() {
        assert!(Instant::now() < deadline, "seed {seed}: left: {:?}", trees(&it.house, &it.repo));
        std::thread::sleep(Duration::from_millis(50));
    }
    let runs = it.house.get("/api/v1/runs").body;
    let ids: Vec<_> = runs["runs"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, [it.main.as_str()], "seed {seed}: no run is lost, and none is left");
}
