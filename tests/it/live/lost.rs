//! Runs over the months: titles, a reboot, and the numbers of an operator.

use serde_json::{Value, json};

use crate::house::House;

#[test]
fn a_title_of_a_person_stays_over_the_clis_own_and_over_a_crash() {
    let mut house = House::demo();
    let path = house.run_path("");
    let named = house.send_json("PATCH", &path, &json!({ "title": "  Mend the\nbuild " }));
    assert_eq!((named.status, &named.body["title"]), (200, &json!("Mend the build")));
    house.exchange("echo something else");
    house.kill_server();
    house.start_again();
    assert_eq!(house.get(&path).body["title"], "Mend the build");
    assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
    house.until("the end", |it| it.state() == "ended");
    let ended = house.send_json("PATCH", &path, &json!({ "title": "Done" }));
    assert_eq!((ended.status, &ended.body["title"]), (200, &json!("Done")));
    for (title, code) in [("", "empty"), (&*"x".repeat(300), "too_long")] {
        let refused = house.send_json("PATCH", &path, &json!({ "title": title }));
        assert_eq!((refused.status, &refused.body["code"]), (422, &json!(code)));
    }
    let nobody = house.send_json("PATCH", "/api/v1/runs/r-none", &json!({ "title": "x" }));
    assert_eq!(nobody.status, 404);
}

/// As after a reboot: nothing of tmux is left, and nobody saw it go.
#[test]
fn all_runs_that_a_reboot_ended_are_resumed_at_once_with_their_conversations() {
    let mut house = House::demo();
    let cwd = house.dir.path().join("state/workspace");
    house.exchange("echo of the first run");
    let first = house.run.clone();
    house.start_run(&json!({
        "provider": "claude-code", "cwd": cwd, "prompt": "echo of the second run"
    }));
    house.until("the second run", |it| it.state() == "needs_input");
    let second = house.run.clone();
    // One that a person stopped stays as it is.
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd, "prompt": "echo stopped" }));
    house.until("the third run", |it| it.state() == "needs_input");
    house.post(&house.run_path("/stop"), &json!({}));
    house.until("the end", |it| it.state() == "ended");
    let stopped = house.run.clone();

    house.kill_server();
    house.tmux(&["kill-server"]);
    house.start_again();
    let state = |run: &str| house.get(&format!("/api/v1/runs/{run}")).body["state"].clone();
    assert_eq!((state(&first), state(&second)), (json!("ended"), json!("ended")));

    let regained = house.post("/api/v1/resume", &json!({}));
    assert_eq!(regained.status, 200, "{}", regained.body);
    let mut ids: Vec<&str> = regained.body["resumed"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["id"].as_str())
        .collect();
    ids.sort_unstable();
    let mut expected = [first.as_str(), second.as_str()];
    expected.sort_unstable();
    assert_eq!((ids, &regained.body["failed"]), (expected.to_vec(), &json!([])));
    assert_eq!(state(&stopped), "ended");
    let again = house.post("/api/v1/resume", &json!({})).body;
    assert_eq!(again, json!({ "resumed": [], "failed": [] }));

    for (run, said) in [(first, "echo of the first run"), (second, "echo of the second run")] {
        house.run = run;
        let end = house.exchange("echo after the reboot");
        assert!(end.texts("user").contains(&said), "{:?}", end.texts("user"));
        assert_eq!(end.texts("assistant").last(), Some(&"after the reboot"));
    }
}

fn metric(text: &str, series: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(series));
    line.and_then(|it| it.trim().parse().ok()).unwrap_or_else(|| panic!("no {series} in\n{text}"))
}

#[test]
fn the_numbers_of_the_server_tell_what_happened() {
    let house = House::demo();
    let without = house.send("GET", "/metrics", None, &[]);
    assert_eq!((without.status, &without.body["code"]), (401, &json!("unauthorized")));
    house.exchange("echo counted");
    assert_eq!(house.get("/api/v1/runs/r-none").status, 404);
    let answer = house.get("/metrics");
    assert_eq!(answer.status, 200);
    let Value::String(text) = &answer.body else { panic!("no text: {answer:?}") };
    assert_eq!(metric(text, "seamux_runs{state=\"needs_input\"} "), 1.0);
    let recorded = "seamux_receipts_total{kind=\"reply\",door=\"keys\",status=\"recorded\"} ";
    assert_eq!(metric(text, recorded), 1.0);
    assert_eq!(metric(text, "seamux_problems_total{code=\"run_not_found\"} "), 1.0);
    assert_eq!(metric(text, "seamux_problems_total{code=\"unauthorized\"} "), 1.0);
    // The test itself reads events while it waits.
    assert!(metric(text, "seamux_event_lag_seconds_count ") > 0.0);
    assert!(text.ends_with("# EOF\n"));
}
