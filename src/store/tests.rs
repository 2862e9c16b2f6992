//! The database as the rest of seamux sees it.

use std::collections::BTreeMap;

use super::*;
use crate::schema::{Exit, Origin};

fn run(id: &str) -> RunRow {
    RunRow {
        id: id.into(),
        provider: "p".into(),
        title: "A title".into(),
        named: false,
        cwd: "/srv".into(),
        program: "/bin/p".into(),
        cli_version: None,
        model: None,
        effort: None,
        permission_mode: Some("default".into()),
        origin: Origin::Spawned,
        demo: true,
        session: format!("s-{id}"),
        created_at: "2026-11-30T10:00:00Z".into(),
        last_activity_at: "2026-11-30T10:00:00Z".into(),
        ended_at: None,
        exit: None,
        epoch: None,
        options: BTreeMap::from([("o".into(), "v".into())]),
        guest: Some(GuestRow { pid: 7, began: 70 }),
        branch: Some("main".into()),
        home: Some(BTreeMap::from([("DIR".into(), "/srv/one".into())])),
    }
}

fn epoch(native_id: &str, transcript: Option<&str>) -> EpochRow {
    EpochRow {
        native_id: native_id.into(),
        reason: "startup".into(),
        started_at: "2026-11-30T10:00:00Z".into(),
        transcript: transcript.map(Into::into),
    }
}

#[tokio::test]
async fn a_run_and_its_epochs_are_there_after_the_database_is_opened_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("seamux.db");
    let store = Store::open(&path).expect("a store");
    store.save_run(run("r1")).await.expect("saved");
    store.note_epoch("r1".into(), epoch("n1", Some("/t/n1")));
    store.note_epoch("r1".into(), epoch("n1", None));
    let ended = RunRow { exit: Some(Exit { code: Some(0), ..Exit::default() }), ..run("r1") };
    store.save_run(ended.clone()).await.expect("saved again");
    drop(store);

    let store = Store::open(&path).expect("a store");
    let runs = store.runs().await.expect("runs");
    assert_eq!(runs, vec![(ended.clone(), vec![epoch("n1", Some("/t/n1"))])]);
    assert_eq!(store.run("r1".into()).await.expect("a run"), runs.into_iter().next());
    assert_eq!(store.run("r2".into()).await.expect("no run"), None);
}

#[test]
fn a_database_of_a_newer_seamux_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("seamux.db");
    let connection = Connection::open(&path).expect("a database");
    connection.pragma_update(None, "user_version", 99).expect("a version");
    drop(connection);
    let Err(error) = Store::open(&path) else { panic!("opened a newer database") };
    let known = MIGRATIONS.len();
    assert_eq!(
        error.to_string(),
        format!("the database is of a newer seamux (version 99, this one knows {known})")
    );
}

#[tokio::test]
async fn a_worktree_is_astray_while_no_run_has_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open(&dir.path().join("seamux.db")).expect("a store");
    let row = WorktreeRow {
        run_id: "r1".into(),
        repository: "/srv/shop/.git".into(),
        path: "/state/x".into(),
        branch: "x".into(),
        start: "0".into(),
        makes_branch: true,
        phase: WorktreePhase::Making,
    };
    store.save_worktree(row.clone()).await.expect("saved before its run");
    assert_eq!(store.stray_worktrees().await.expect("rows"), vec![row.clone()]);
    let ready = WorktreeRow { phase: WorktreePhase::Ready, ..row };
    store.save_worktree(ready.clone()).await.expect("saved again");
    store.save_run(run("r1")).await.expect("saved");
    assert_eq!(store.stray_worktrees().await.expect("rows"), []);
    assert_eq!(store.worktree("r1".into()).await.expect("a row"), Some(ready.clone()));
    store.forget_run("r1".into()).await.expect("forgotten");
    assert_eq!(store.stray_worktrees().await.expect("rows"), [ready], "it outlives its run");
}

#[tokio::test]
async fn a_note_that_finds_no_room_is_written_later_and_in_its_order() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open(&dir.path().join("seamux.db")).expect("a store");
    store.save_run(run("r1")).await.expect("saved");
    // A database that may not grow is as good as a full disk.
    let limit = |pages: Option<u32>| {
        store.with(move |connection| {
            let used: u32 = connection.query_row("PRAGMA page_count", [], |row| row.get(0))?;
            let limit = pages.unwrap_or(used);
            Ok(connection.query_row(&format!("PRAGMA max_page_count = {limit}"), [], |_| Ok(()))?)
        })
    };
    limit(None).await.expect("limited");
    let long = RunRow { title: "x".repeat(64 << 10), ..run("r1") };
    store.note_run(long.clone());
    store.note_run(RunRow { title: "the last word".into(), ..run("r1") });
    let title = async || store.run("r1".into()).await.expect("read").expect("a run").0.title;
    assert_eq!(title().await, "A title", "the second one does not overtake the first");
    let error = store.save_run(long).await.expect_err("no room");
    assert!(error.is_full(), "{error}");
    limit(Some(10_000)).await.expect("raised");
    assert_eq!(title().await, "the last word");
}
