//! The commands that talk to a running server.

mod answer;
mod runs;
mod server;
mod start;
mod stream;
mod talk;
mod wait;

use anyhow::bail;
use clap::Subcommand;
use serde_json::Value;

use super::ui::Advice;
pub(super) use server::{Server, ServerArgs, URL_FILE, is_running};

#[derive(Subcommand)]
pub(super) enum ClientCommand {
    /// Starts a run
    Run(start::RunArgs),
    /// Lists the runs, the most urgent first
    Ls(runs::LsArgs),
    /// Brings you to the terminal of a run
    Attach(runs::AttachArgs),
    /// Sends a message to a run
    Tell(talk::TellArgs),
    /// Answers what a run asks; without an answer it shows what is asked
    Answer(answer::AnswerArgs),
    /// Waits until a run needs you or has ended
    Wait(wait::WaitArgs),
    /// Prints what happens, as it happens
    Events(wait::EventsArgs),
    /// Ends the CLI of a run
    Stop(runs::StopArgs),
    /// Starts the CLI of an ended run again, on the same conversation
    Resume(runs::ResumeArgs),
}

impl ClientCommand {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        match self {
            Self::Run(args) => start::run(args),
            Self::Ls(args) => runs::ls(args),
            Self::Attach(args) => runs::attach(args),
            Self::Tell(args) => talk::tell(args),
            Self::Answer(args) => answer::answer(args),
            Self::Wait(args) => wait::wait(args),
            Self::Events(args) => wait::events(args),
            Self::Stop(args) => runs::stop(args),
            Self::Resume(args) => runs::resume(args),
        }
    }
}

/// The run that a person means: by its id, the beginning of one, or its title.
fn find_run(server: &Server, wanted: &str) -> anyhow::Result<Value> {
    let mut list = server.get("/runs")?;
    let runs: Vec<Value> = list["runs"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let is = |name: &str| runs.iter().filter(move |it| it[name] == wanted).collect::<Vec<_>>();
    let begins = |it: &&Value| {
        id(it).starts_with(wanted) || id(it).trim_start_matches("r-").starts_with(wanted)
    };
    let ways = [is("id"), runs.iter().filter(begins).collect(), is("title")];
    let found = ways.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
    match found[..] {
        [run] => Ok(run.clone()),
        [] => {
            bail!(Advice::new(format!("there is no run `{wanted}`"), "`seamux ls` lists the runs"))
        }
        _ => {
            let ids: Vec<_> = found.iter().map(|it| id(it)).collect();
            let what = format!("`{wanted}` can be any of {}", ids.join(", "));
            bail!(Advice::new(what, "give more of the id"))
        }
    }
}

fn id(run: &Value) -> &str {
    run["id"].as_str().unwrap_or_default()
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}
