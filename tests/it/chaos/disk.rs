//! The disk with seamux's state is full for a while.
//!
//! A real one: a small tmpfs, which needs the right to mount. Where that is missing
//! the test fails and says so.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::house::{Answer, House};

/// A small disk, unmounted when dropped. Declared before its house, it goes after it.
struct Disk(TempDir);

impl Disk {
    fn mount() -> Self {
        let dir = tempfile::Builder::new().prefix("sxdisk").tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m,mode=700", "seamux-chaos"])
            .arg(dir.path())
            .output()
            .unwrap();
        assert!(
            mounted.status.success(),
            "this test needs the right to mount a small tmpfs (run it as root): {}",
            String::from_utf8_lossy(&mounted.stderr)
        );
        Self(dir)
    }

    /// The demo, with its state here. The CLI's own home stays on the other disk.
    fn house(&self) -> House {
        House::demo_in(|it| {
            let house = it.home.parent().unwrap();
            fs::create_dir(house.join("clis-home")).unwrap();
            std::os::unix::fs::symlink(house.join("clis-home"), self.0.path().join("home"))
                .unwrap();
            std::os::unix::fs::symlink(self.0.path(), house.join("state")).unwrap();
        })
    }

    fn filler(&self) -> std::path::PathBuf {
        self.0.path().join("filler")
    }

    fn fill(&self) {
        let mut file = File::options().create(true).append(true).open(self.filler()).unwrap();
        for size in [1 << 16, 1 << 10, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn make_room(&self) {
        fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        unmount(self.0.path());
    }
}

fn unmount(place: &Path) {
    Command::new("umount").arg("-l").arg(place).status().ok(); // The folder would stay, no more.
}

fn assert_full(answer: &Answer) {
    assert_eq!((answer.status, &answer.body["code"]), (507, &json!("disk_full")), "{answer:?}");
    assert!(answer.body["detail"].as_str().unwrap().contains("disk is full"), "{answer:?}");
    assert!(answer.body["hint"].as_str().unwrap().contains("make room"), "{answer:?}");
}

fn reply(house: &House, text: &str) -> Answer {
    house.post(&house.run_path("/reply"), &json!({ "text": text }))
}

/// Sends until the disk takes no more: a database finds a little room in its own
/// files first. What was accepted, and what was refused at last.
fn reply_until_refused(house: &House) -> (Vec<(String, String)>, String) {
    let mut accepted = Vec::new();
    for number in 0..200 {
        let text = format!("echo reply {number} {}", "x".repeat(3000));
        let answer = reply(house, &text);
        if answer.status != 202 {
            assert_full(&answer);
            return (accepted, text);
        }
        accepted.push((answer.body["id"].as_str().unwrap().to_owned(), text));
    }
    panic!("the disk never got full");
}

fn queued<'a>(house: &'a Value, id: &str) -> &'a Value {
    house["queued"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap()
}

#[test]
fn on_a_full_disk_nothing_is_accepted_that_cannot_be_kept_and_everything_else_goes_on() {
    let disk = Disk::mount();
    let mut house = disk.house();
    house.exchange("echo before");
    house.reply("ask one");
    let asked = house.until("a question", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let dialog = asked.page["pending_dialogs"][0]["id"].clone();
    let held = house.reply("echo held before the disk was full");

    disk.fill();
    let (mut accepted, refused) = reply_until_refused(&house);
    // The least that there is to write still fits a few times.
    let name =
        |title: String| house.send_json("PATCH", &house.run_path(""), &json!({ "title": title }));
    let unnamed =
        (0..200).map(|it| name(format!("title {it}"))).find(|it| it.status != 200).unwrap();
    assert_full(&unnamed);
    accepted.push((held.clone(), "echo held before the disk was full".into()));
    let entry = house.run_path(&format!("/queue/{held}"));
    assert_full(&house.send_json("PATCH", &entry, &json!({ "text": "echo other words" })));
    let headers = [("authorization", house.bearer())];
    let headers: Vec<_> = headers.iter().map(|it| (it.0, it.1.as_str())).collect();
    assert_full(&house.send("DELETE", &entry, None, &headers));
    let queue = house.get(&house.run_path("/queue")).body;
    assert_eq!(queued(&queue, &held)["text"], "echo held before the disk was full");
    assert_full(&name("never".into()));
    assert_ne!(house.get(&house.run_path("")).body["title"], "never");
    let cwd = house.dir.path().join("clis-home");
    let new = json!({ "provider": "claude-code", "cwd": cwd, "prompt": "echo none" });
    assert_full(&house.post("/api/v1/runs", &new));
    assert_eq!(house.get("/api/v1/runs").body["runs"].as_array().unwrap().len(), 1);
    let answer = json!({ "dialog_id": dialog, "answers": [{ "selected": [1] }] });
    assert_full(&house.post(&house.run_path("/answer"), &answer));
    let now = house.conversation();
    assert_eq!(now.page["pending_dialogs"][0]["id"], dialog, "it still waits");

    // The agent goes on, and what can't be written down is not typed.
    house.press("Enter");
    house.until("the reply to wait", |it| {
        let queue = it.page["queued"].as_array().unwrap();
        it.state() == "needs_input" && queue.iter().any(|it| it["cause"] == "storage")
    });

    // A start in between needs no room either.
    house.kill_server();
    house.start_again();
    let now = house.until("the run", |it| it.state() == "needs_input");
    assert!(now.texts("assistant").contains(&"before"), "{:?}", now.texts("assistant"));

    disk.make_room();
    let now = house.until("all that was accepted", |it| {
        accepted.iter().all(|(id, _)| it.receipt(id)["status"] == "recorded")
    });
    let said = now.texts("user");
    for (_, text) in &accepted {
        assert_eq!(said.iter().filter(|it| *it == text).count(), 1, "{text}");
    }
    assert!(!said.contains(&refused.as_str()), "what was refused was not sent");
    house.exchange("echo there is room again");
}
