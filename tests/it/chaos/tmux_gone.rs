//! The tmux server is killed under several runs while seamux watches.

use serde_json::{Value, json};

use crate::house::House;

#[test]
fn runs_whose_tmux_server_was_killed_read_as_ended_and_are_all_brought_back() {
    let mut house = House::demo();
    let cwd = house.dir.path().join("state/workspace");
    let mut runs = vec![(house.run.clone(), "echo of run 0".to_owned())];
    house.exchange("echo of run 0");
    for number in 1..3 {
        let prompt = format!("echo of run {number}");
        let body = json!({ "provider": "claude-code", "cwd": cwd, "prompt": prompt });
        house.start_run(&body);
        house.until("its answer", |it| it.state() == "needs_input");
        runs.push((house.run.clone(), prompt));
    }
    let server = house.tmux(&["display-message", "-p", "#{pid}"]);
    let killed = std::process::Command::new("kill").args(["-9", server.trim()]).status().unwrap();
    assert!(killed.success());
    for (run, prompt) in &runs {
        house.run.clone_from(run);
        let now = house.until("its end", |it| it.state() == "ended");
        assert!(now.warnings().contains(&"tmux_gone"), "the reason: {}", now.run["warnings"]);
        assert!(now.texts("user").contains(&prompt.as_str()), "still readable");
        let refused = house.post(&house.run_path("/reply"), &json!({ "text": "echo lost" }));
        assert_eq!((refused.status, &refused.body["code"]), (409, &json!("run_ended")));
    }
    let back = house.post("/api/v1/resume", &json!({})).body;
    let mut ids: Vec<&str> =
        back["resumed"].as_array().unwrap().iter().filter_map(|it| it["id"].as_str()).collect();
    let mut expected: Vec<&str> = runs.iter().map(|it| it.0.as_str()).collect();
    ids.sort_unstable();
    expected.sort_unstable();
    assert_eq!((ids, &back["failed"]), (expected, &Value::Array(Vec::new())), "{back}");
    for (run, prompt) in &runs {
        house.run.clone_from(run);
        let end = house.exchange("echo goes on");
        assert!(end.texts("user").contains(&prompt.as_str()), "{:?}", end.texts("user"));
        assert_eq!(end.texts("assistant").last(), Some(&"goes on"));
        assert!(!end.warnings().contains(&"tmux_gone"), "{:?}", end.warnings());
    }
}
