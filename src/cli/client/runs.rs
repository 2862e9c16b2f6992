//! `seamux ls`, `attach`, `stop` and `resume`.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::super::ui::{plain, print};
use super::server::encode;
use super::{Server, ServerArgs, find_run, id, text};

#[derive(Args)]
pub(in crate::cli) struct LsArgs {
    /// Only those with these words in their title or folder
    query: Option<String>,
    /// Only those in this state
    #[arg(long)]
    state: Option<State>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(in crate::cli) enum State {
    Question,
    NeedsInput,
    Working,
    Idle,
    Ended,
}

impl State {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::NeedsInput => "needs_input",
            Self::Working => "working",
            Self::Idle => "idle",
            Self::Ended => "ended",
        }
    }
}

pub(super) fn ls(args: &LsArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let mut query = vec![format!("q={}", encode(args.query.as_deref().unwrap_or_default()))];
    query.extend(args.state.map(|it| format!("state={}", it.word())));
    let list = server.get(&format!("/runs?{}", query.join("&")))?;
    if args.json {
        return print(&format!("{list}\n"));
    }
    print(&table(list["runs"].as_array().map(Vec::as_slice).unwrap_or_default()))
}

/// One line for each run, in columns.
fn table(runs: &[Value]) -> String {
    let rows: Vec<[String; 4]> = runs
        .iter()
        .map(|run| ["id", "state", "title", "cwd"].map(|field| plain(text(run, field), 60)))
        .collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2].map(width);
    let lines = rows.iter().map(|[id, state, title, cwd]| {
        let [a, b, c] = widths;
        format!("{id:a$}  {state:b$}  {title:c$}  {cwd}\n")
    });
    lines.collect()
}

#[derive(Args)]
pub(in crate::cli) struct AttachArgs {
    /// Its id, the beginning of it, or its title
    run: String,
    /// Print the command instead of running it
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn attach(args: &AttachArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let run = find_run(&server, &args.run)?;
    if args.print {
        let attach = server.get(&format!("/runs/{}/attach", id(&run)))?;
        return print(&format!("{}\n", text(&attach, "command")));
    }
    go_to(&server, id(&run))
}

/// Becomes the terminal program that shows the run.
pub(super) fn go_to(server: &Server, run: &str) -> anyhow::Result<()> {
    let attach = server.get(&format!("/runs/{run}/attach"))?;
    let command = format!("exec {}", text(&attach, "command"));
    Err(Command::new("/bin/sh").args(["-c", &command]).exec()).context("no shell could be started")
}

#[derive(Args)]
pub(in crate::cli) struct StopArgs {
    /// Its id, the beginning of it, or its title
    run: String,
    /// At once, without giving the CLI time to end by itself
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn stop(args: &StopArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let run = find_run(&server, &args.run)?;
    server.post(&format!("/runs/{}/stop", id(&run)), &json!({ "force": args.force }))?;
    Ok(())
}

#[derive(Args)]
pub(in crate::cli) struct ResumeArgs {
    /// Its id, the beginning of it, or its title
    run: String,
    /// Print the run as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn resume(args: &ResumeArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let run = find_run(&server, &args.run)?;
    let run = server.post(&format!("/runs/{}/resume", id(&run)), &json!({}))?;
    if args.json {
        return print(&format!("{run}\n"));
    }
    print(&table(&[run]))
}
