//! `seamux tell`.

use std::io::Read as _;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};

use super::super::ui::{Advice, plain, print};
use super::stream::Events;
use super::{Server, ServerArgs, find_run, id, text};

#[derive(Args)]
pub(in crate::cli) struct TellArgs {
    /// Its id, the beginning of it, or its title
    run: String,
    /// The message; `-` reads it from standard input
    text: String,
    /// When the agent has ended its turn, and not in the middle of it
    #[arg(long)]
    after_turn: bool,
    /// Also over a draft that somebody is writing in the terminal
    #[arg(long)]
    force: bool,
    /// Wait until the CLI has recorded it
    #[arg(long)]
    wait: bool,
    /// Print the receipt as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn tell(args: &TellArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let run = find_run(&server, &args.run)?;
    let mut words = args.text.clone();
    if words == "-" {
        words.clear();
        let read = std::io::stdin().lock().read_to_string(&mut words);
        read.context("standard input could not be read as text")?;
    }
    let when = if args.after_turn { "after_turn" } else { "now" };
    let body = json!({ "text": words, "when": when, "force": args.force });
    let receipt = server.post(&format!("/runs/{}/reply", id(&run)), &body)?;
    follow(&server, id(&run), receipt, args.wait, args.json)
}

/// Says what became of what was sent; `wait` until nothing more becomes of it.
pub(super) fn follow(
    server: &Server,
    run: &str,
    mut receipt: Value,
    wait: bool,
    as_json: bool,
) -> anyhow::Result<()> {
    let path = format!("/runs/{run}/receipts/{}", id(&receipt));
    if wait && !is_final(&receipt) {
        let mut events = Events::of(server, &[run.to_owned()], None)?;
        receipt = server.get(&path)?;
        while !is_final(&receipt) {
            match events.next()? {
                Some(_) => receipt = server.get(&path)?,
                None => {
                    bail!(Advice::new("the server has stopped", "start it and look at the run"))
                }
            }
        }
    }
    let detail = plain(text(&receipt, "detail"), 400);
    if as_json {
        print(&format!("{receipt}\n"))?;
    } else if text(&receipt, "status") != "failed" {
        print(format!("{} {detail}", text(&receipt, "status")).trim_end())?;
        print("\n")?;
    }
    if text(&receipt, "status") == "failed" {
        bail!(Advice::new(format!("it failed: {detail}"), "look at the run in its terminal"));
    }
    Ok(())
}

fn is_final(receipt: &Value) -> bool {
    ["recorded", "failed"].contains(&text(receipt, "status"))
}
