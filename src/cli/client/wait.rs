//! `seamux wait` and `seamux events`.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use serde_json::Value;

use super::super::ui::{Advice, plain, print};
use super::runs::State;
use super::stream::{Event, Events};
use super::{Server, ServerArgs, find_run, id, text};

#[derive(Args)]
pub(in crate::cli) struct WaitArgs {
    /// Its id, the beginning of it, or its title
    run: String,
    /// Until it is in this state (repeatable)
    #[arg(long = "for", value_name = "STATE", required = true)]
    states: Vec<State>,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// Print the run as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn wait(args: &WaitArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let run = find_run(&server, &args.run)?;
    let name = id(&run).to_owned();
    let deadline = args.timeout.map(|it| Instant::now() + Duration::from_secs(it));
    let mut events = Events::of(&server, &[], None)?;
    let (sender, news) = mpsc::channel();
    // The stream has no end of its own, and a wait has.
    std::thread::spawn(move || {
        while let Ok(Some(event)) = events.next() {
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    // The stream begins with a summary of every run, so nothing falls in between.
    loop {
        let event = match deadline {
            Some(at) => news.recv_timeout(at.saturating_duration_since(Instant::now())),
            None => news.recv().map_err(Into::into),
        };
        match event {
            Ok(event) if event.name == "run.removed" && event.data["id"] == name.as_str() => {
                bail!(Advice::new(format!("{name} was forgotten"), "`seamux ls` lists the runs"));
            }
            Ok(event)
                if event.name == "run.changed" && event.data["run"]["id"] == name.as_str() =>
            {
                if is_reached(&args.states, &event.data["run"])? {
                    return tell(&event.data["run"], args.json);
                }
            }
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let words: Vec<_> = args.states.iter().map(|it| it.word()).collect();
                let what = format!("{name} did not come to {} in time", words.join(" or "));
                bail!(Advice::new(what, "wait longer, or look at it with `seamux attach`"));
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                bail!(Advice::new("the server has stopped", "start it and wait again"));
            }
        }
    }
}

/// Whether the wait is over; an ended run comes to no other state by itself.
fn is_reached(states: &[State], run: &Value) -> anyhow::Result<bool> {
    let state = text(run, "state");
    if state == "ended" && !states.contains(&State::Ended) {
        let next = "`seamux resume` starts it again";
        bail!(Advice::new(format!("{} has ended", id(run)), next));
    }
    Ok(states.iter().any(|it| it.word() == state))
}

fn tell(run: &Value, as_json: bool) -> anyhow::Result<()> {
    match as_json {
        true => print(&format!("{run}\n")),
        false => print(&format!("{}\n", text(run, "state"))),
    }
}

#[derive(Args)]
pub(in crate::cli) struct EventsArgs {
    /// Runs whose messages are wanted too; every run's summary comes anyway
    runs: Vec<String>,
    /// Go on after this event of an earlier call
    #[arg(long, value_name = "ID")]
    cursor: Option<String>,
    /// Print one object of JSON for each event
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn events(args: &EventsArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let found = args.runs.iter().map(|it| Ok(id(&find_run(&server, it)?).to_owned()));
    let runs = found.collect::<anyhow::Result<Vec<_>>>()?;
    let mut events = Events::of(&server, &runs, args.cursor.as_deref())?;
    while let Some(event) = events.next()? {
        let line = if args.json { event.to_json().to_string() } else { line(&event) };
        if !line.is_empty() && !super::super::ui::print_or_stop(&format!("{line}\n"))? {
            return Ok(()); // `| head` has seen enough.
        }
    }
    bail!(Advice::new("the server has stopped", "start it; --cursor goes on where this ended"))
}

/// For people: which run, what, and the words of it.
fn line(event: &Event) -> String {
    let data = &event.data;
    let (run, words) = match event.name.as_str() {
        "heartbeat" => return String::new(),
        "run.changed" => {
            let run = &data["run"];
            (id(run), format!("{}  {}", text(run, "state"), text(run, "title")))
        }
        "run.removed" => (id(data), String::new()),
        "message.upsert" => (text(data, "run_id"), message(&data["message"])),
        "receipt" => {
            let receipt = &data["receipt"];
            (text(data, "run_id"), format!("{} {}", text(receipt, "kind"), text(receipt, "status")))
        }
        "dialog.changed" => {
            let dialogs = data["pending_dialogs"].as_array().into_iter().flatten();
            let titles: Vec<_> = dialogs.map(|it| text(it, "title")).collect();
            (text(data, "run_id"), titles.join("; "))
        }
        _ => (text(data, "run_id"), String::new()),
    };
    format!("{run:14}  {:14}  {}", event.name, plain(&words, 160))
}

fn message(message: &Value) -> String {
    let parts = [
        &message["text"],
        &message["tool"]["title"],
        &message["dialog"]["title"],
        &message["lifecycle"]["event"],
    ];
    let words = parts.iter().find_map(|it| it.as_str()).unwrap_or_default();
    format!("{} {words}", message["role"].as_str().unwrap_or(text(message, "kind")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_is_one_line_and_a_heartbeat_is_none() {
        let event = |name: &str, data: Value| Event { name: name.into(), id: None, data };
        let run = json!({ "run": { "id": "r-1", "state": "idle", "title": "A\u{1b}[31m title" } });
        insta::assert_snapshot!(line(&event("run.changed", run)), @r"
        r-1             run.changed     idle A[31m title
        ");
        assert_eq!(line(&event("heartbeat", json!({ "time": "now" }))), "");
    }
}
