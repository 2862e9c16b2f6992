//! The real CLI in a worktree of its own, and what becomes of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{Answer, Conversation, Furnish, House};
use crate::workspaces::{commit, git, repository};

/// All folders of the house are trusted from the beginning. What we write into the
/// CLI's settings later can get lost: each CLI that runs there writes them too.
pub(crate) fn trust(furnish: &mut Furnish<'_>) {
    let house = std::fs::canonicalize(furnish.home).unwrap().parent().unwrap().to_owned();
    let home = house.join("state/home");
    fs::create_dir_all(&home).unwrap();
    let trusted =
        json!({ "projects": { house.to_str().unwrap(): { "hasTrustDialogAccepted": true } } });
    fs::write(home.join(".claude.json"), trusted.to_string()).unwrap();
}

/// A house with a repository in it.
fn house() -> (House, PathBuf) {
    let house = House::demo_in(trust);
    let repo = house.dir.path().join("shop");
    repository(&repo);
    (house, repo)
}

fn start(house: &mut House, repo: &Path, branch: &str) -> (Value, PathBuf) {
    let run = house.start_run(&json!({
        "provider": "claude-code", "cwd": repo, "prompt": "echo here",
        "worktree": { "branch": branch },
    }));
    let cwd = PathBuf::from(run["cwd"].as_str().unwrap());
    house.until("the first answer", |it| {
        it.state() == "needs_input" && it.texts("assistant").contains(&"here")
    });
    (run, cwd)
}

fn stop(house: &House) -> Conversation {
    assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
    house.until("the end", |it| it.state() == "ended")
}

fn forget(house: &House) -> Answer {
    let bearer = house.bearer();
    house.send("DELETE", &house.run_path(""), None, &[("authorization", &bearer)])
}

fn until(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !done() {
        assert!(Instant::now() < deadline, "waited in vain for: {what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

#[test]
fn an_agent_works_in_its_worktree_and_what_it_left_is_kept_until_it_is_saved() {
    let (mut house, repo) = house();
    let (run, cwd) = start(&mut house, &repo, "fix/one");
    assert_eq!(run["branch"], "fix/one");
    assert_ne!(cwd, repo);
    house.reply("run a command");
    let asked =
        house.until("a permission", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let dialog = &asked.page["pending_dialogs"][0]["id"];
    let allow = json!({ "dialog_id": dialog, "answers": [{ "selected": [0] }] });
    assert_eq!(house.post(&house.run_path("/answer"), &allow).status, 202);
    house.until("the end of the turn", |it| {
        it.state() == "needs_input" && it.tools().iter().any(|it| it["status"] == "ok")
    });
    assert!(cwd.join("demo-listing.txt").is_file(), "the agent wrote it there");
    assert!(!repo.join("demo-listing.txt").exists());

    let early = forget(&house);
    assert_eq!((early.status, &early.body["code"]), (409, &json!("run_live")));
    assert_eq!(stop(&house).run["branch"], "fix/one", "also when it has ended");
    // It goes on in the same place.
    assert_eq!(house.post(&house.run_path("/resume"), &json!({})).status, 202);
    let after = house.exchange("echo again");
    assert!(after.texts("assistant").contains(&"here"));
    assert_eq!(after.run["cwd"], json!(cwd));
    stop(&house);

    let events = house.events("", None);
    let left = forget(&house);
    assert_eq!(left.status, 200, "{}", left.body);
    let worktree = &left.body["worktree"];
    assert_eq!((&worktree["parked"], &worktree["path"]), (&json!(true), &json!(cwd)));
    assert!(worktree["reasons"][0].as_str().unwrap().contains("demo-listing.txt"), "{worktree}");
    assert!(worktree["hint"].as_str().unwrap().contains("worktree remove"), "{worktree}");
    assert!(cwd.join("demo-listing.txt").is_file());
    let gone = house.get(&house.run_path(""));
    assert_eq!((gone.status, &gone.body["code"]), (404, &json!("run_not_found")));
    events.up_to("its removal", |it| it.name == "run.removed" && it.data["id"] == run["id"]);

    // Neither forgotten nor removed by the next start.
    house.kill_server();
    house.start_again();
    assert!(cwd.join("demo-listing.txt").is_file());
    let list = house.get("/api/v1/runs").body;
    assert!(list["runs"].as_array().unwrap().iter().all(|it| it["id"] != run["id"]), "{list}");

    // The reason is the same one, until somebody takes it away.
    run["id"].as_str().unwrap().clone_into(&mut house.run);
    assert_eq!(forget(&house).body["worktree"]["parked"], true);
    fs::remove_file(cwd.join("demo-listing.txt")).unwrap();
    let left = forget(&house);
    assert_eq!((left.status, &left.body["worktree"]["parked"]), (200, &json!(false)));
    assert!(!cwd.exists());
    assert_eq!(
        (forget(&house).status, forget(&house).body["code"].as_str()),
        (404, Some("run_not_found"))
    );
}

#[test]
fn a_commit_that_is_nowhere_else_is_kept_and_a_clean_worktree_goes() {
    let (mut house, repo) = house();
    let (_, kept) = start(&mut house, &repo, "with-a-commit");
    commit(&kept, "c.txt");
    stop(&house);
    let left = forget(&house).body;
    assert_eq!(left["worktree"]["parked"], true);
    let reason = left["worktree"]["reasons"][0].as_str().unwrap();
    assert!(reason.contains("on no other branch and not pushed"), "{left}");
    assert!(kept.join("c.txt").is_file());

    let (run, cwd) = start(&mut house, &repo, "clean");
    stop(&house);
    let left = forget(&house);
    assert_eq!(
        left.body,
        json!({ "id": run["id"], "worktree": {
            "branch": "clean", "branch_removed": true, "parked": false, "reasons": [],
        } })
    );
    assert!(!cwd.exists());
    assert!(!house.dir.path().join("state/runs").join(run["id"].as_str().unwrap()).exists());
    assert_eq!(git(&repo, &["branch", "--format=%(refname:short)"]), "main\nwith-a-commit");
}

#[test]
fn a_worktree_that_is_gone_or_in_use_is_told_in_clear_words() {
    let (mut house, repo) = house();
    let (run, cwd) = start(&mut house, &repo, "x");
    let again = json!({
        "provider": "claude-code", "cwd": repo, "worktree": { "branch": "x" },
    });
    let taken = house.post("/api/v1/runs", &again);
    assert_eq!((taken.status, &taken.body["code"]), (409, &json!("branch_elsewhere")));
    assert_eq!(taken.body["field"], "worktree.branch");
    assert!(taken.body["detail"].as_str().unwrap().contains(cwd.to_str().unwrap()));

    // A second run in the very folder keeps it from going.
    let first = house.run.clone();
    stop(&house);
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd, "prompt": "echo two" }));
    house.until("the second run", |it| it.texts("assistant").contains(&"two"));
    let second = std::mem::replace(&mut house.run, first);
    assert_eq!(house.conversation().run["id"], run["id"]);
    let left = forget(&house).body;
    assert!(left["worktree"]["reasons"][0].as_str().unwrap().contains(&second), "{left}");
    // With that run it goes too.
    house.run = second;
    stop(&house);
    assert_eq!(forget(&house).status, 200);
    assert!(!cwd.exists());

    let (_, cwd) = start(&mut house, &repo, "y");
    stop(&house);
    fs::remove_dir_all(&cwd).unwrap();
    let gone = house.post(&house.run_path("/resume"), &json!({}));
    assert_eq!((gone.status, &gone.body["code"]), (409, &json!("worktree_gone")));
    assert!(gone.body["hint"].as_str().unwrap().contains("worktree add"), "{}", gone.body);
    let left = forget(&house);
    assert_eq!((left.status, &left.body["worktree"]["parked"]), (200, &json!(false)));
}

#[test]
fn wrong_worktrees_are_refused_over_http_and_leave_nothing() {
    let (house, repo) = house();
    let ask = |cwd: &Path, worktree: Value| {
        let body = json!({ "provider": "claude-code", "cwd": cwd, "worktree": worktree });
        let answer = house.post("/api/v1/runs", &body);
        (answer.status, answer.body["code"].as_str().unwrap().to_owned())
    };
    let outside = house.dir.path().join("home");
    assert_eq!(ask(&outside, json!({ "branch": "x" })), (422, "not_a_repository".into()));
    assert_eq!(ask(&repo, json!({ "branch": "--force" })), (422, "bad_branch".into()));
    assert_eq!(ask(&repo, json!({ "branch": "x", "base": "no" })), (422, "unknown_base".into()));
    assert_eq!(ask(&repo, json!({ "branch": "x", "typo": 1 })), (400, "unknown_field".into()));
    let bad_effort = json!({
        "provider": "claude-code", "cwd": repo, "worktree": { "branch": "x" }, "effort": "immense",
    });
    assert_eq!(house.post("/api/v1/runs", &bad_effort).status, 422);
    let seed = json!({ "provider": "claude-code", "cwd": repo, "seed": true });
    assert_eq!(house.post("/api/v1/runs", &seed).body["code"], "seed_not_configured");
    assert!(!house.dir.path().join("state/worktrees").exists());
    // A hook that fails after git has made everything.
    let hook = repo.join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\necho not today >&2\nexit 1\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let failed = house.post(
        "/api/v1/runs",
        &json!({ "provider": "claude-code", "cwd": repo, "worktree": { "branch": "x" } }),
    );
    assert_eq!((failed.status, &failed.body["code"]), (502, &json!("git_failed")));
    assert!(failed.body["detail"].as_str().unwrap().contains("not today"), "{}", failed.body);
    let left = fs::read_dir(house.dir.path().join("state/worktrees")).unwrap();
    let left = left.flat_map(|it| fs::read_dir(it.unwrap().path()).unwrap());
    assert_eq!(left.count(), 0);
    assert_eq!(git(&repo, &["branch", "--format=%(refname:short)"]), "main");
}

#[test]
fn kill_9_while_a_worktree_is_made_leaves_nothing_after_the_next_start() {
    let (mut house, repo) = house();
    let (started, pipe) = (house.dir.path().join("started"), house.dir.path().join("pipe"));
    fs::write(repo.join(".gitattributes"), "stop.txt filter=stop\n").unwrap();
    git(&repo, &["add", "."]);
    commit(&repo, "stop.txt");
    commit(&repo, "zz.txt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let smudge = format!("touch {} && cat {}", started.display(), pipe.display());
    git(&repo, &["config", "filter.stop.smudge", &smudge]);
    let (url, bearer) = (format!("{}/api/v1/runs", house.url), house.bearer());
    let body = json!({ "provider": "claude-code", "cwd": repo, "worktree": { "branch": "x" } });
    let asked = std::thread::spawn(move || {
        let request = ureq::post(url).header("authorization", bearer);
        request.header("content-type", "application/json").send(body.to_string()).is_ok()
    });
    until("the checkout", || started.exists());
    house.kill_server();
    assert!(!asked.join().unwrap(), "nobody was told that it was made");
    let trees = house.dir.path().join("state/worktrees");
    let folder = fs::read_dir(&trees).unwrap().next().unwrap().unwrap().path();
    let tree = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    assert!(tree.join("a.txt").is_file() && !tree.join("zz.txt").exists(), "half of it is there");
    assert!(git(&repo, &["branch"]).contains('x'));

    house.start_again();
    until("the folder to go", || !tree.exists());
    until("the branch to go", || !git(&repo, &["branch"]).contains('x'));
    assert_eq!(git(&repo, &["worktree", "list"]).lines().count(), 1);
    // And the name is free again.
    git(&repo, &["config", "--remove-section", "filter.stop"]);
    let (_, cwd) = start(&mut house, &repo, "x");
    assert!(cwd.join("zz.txt").is_file());
}
