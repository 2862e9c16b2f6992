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
