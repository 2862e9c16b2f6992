//! `seamux run`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Map, Value, json};

use super::super::ui::{Advice, print};
use super::{Server, ServerArgs, id, text};

#[derive(Args)]
pub(in crate::cli) struct RunArgs {
    /// The first message
    #[arg(value_name = "MESSAGE")]
    message: Option<String>,
    /// Which CLI to run [default: the one that is installed]
    #[arg(short, long, value_name = "PROVIDER")]
    provider: Option<String>,
    /// The folder to work in [default: this one]
    #[arg(short = 'C', long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The title of the run
    #[arg(long)]
    title: Option<String>,
    /// The model
    #[arg(long)]
    model: Option<String>,
    /// How much the model should think
    #[arg(long)]
    effort: Option<String>,
    /// What the agent may do without asking
    #[arg(long, value_name = "MODE")]
    permission_mode: Option<String>,
    /// An option of the provider (repeatable)
    #[arg(long = "option", value_name = "ID=VALUE")]
    options: Vec<String>,
    /// A folder of its own: a git worktree with this branch
    #[arg(long, value_name = "BRANCH")]
    worktree: Option<String>,
    /// Where a new branch begins
    #[arg(long, value_name = "COMMIT", requires = "worktree")]
    base: Option<String>,
    /// Go to its terminal
    #[arg(long, conflicts_with = "json")]
    attach: bool,
    /// Print the run as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn run(args: &RunArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let run = server.post("/runs", &request(&server, args)?)?;
    if args.json {
        return print(&format!("{run}\n"));
    }
    if args.attach {
        return super::runs::go_to(&server, id(&run));
    }
    let mut lines = format!("{}  {}  {}\n", id(&run), text(&run, "state"), text(&run, "cwd"));
    for warning in run["warnings"].as_array().into_iter().flatten() {
        _ = writeln!(lines, "  {} {}", text(warning, "message"), text(warning, "hint"));
    }
    print(&lines)
}

fn request(server: &Server, args: &RunArgs) -> anyhow::Result<Value> {
    let cwd = match &args.cwd {
        Some(cwd) => std::path::absolute(cwd).context("there is no such folder")?,
        None => std::env::current_dir().context("this folder cannot be found")?,
    };
    let provider = match &args.provider {
        Some(provider) => provider.clone(),
        None => installed(server)?,
    };
    let mut body = Map::from_iter([
        ("provider".to_owned(), json!(provider)),
        ("cwd".to_owned(), json!(cwd.to_string_lossy())),
        ("options".to_owned(), json!(options(&args.options)?)),
    ]);
    for (name, value) in [
        ("prompt", &args.message),
        ("title", &args.title),
        ("model", &args.model),
        ("effort", &args.effort),
        ("permission_mode", &args.permission_mode),
    ] {
        body.extend(value.as_ref().map(|it| (name.to_owned(), json!(it))));
    }
    if let Some(branch) = &args.worktree {
        let mut worktree = Map::from_iter([("branch".to_owned(), json!(branch))]);
        worktree.extend(args.base.as_ref().map(|it| ("base".to_owned(), json!(it))));
        body.insert("worktree".into(), worktree.into());
    }
    Ok(body.into())
}

fn installed(server: &Server) -> anyhow::Result<String> {
    let list = server.get("/providers")?;
    let all = list["providers"].as_array().into_iter().flatten();
    let installed: Vec<_> = all.filter(|it| !it["installed"].is_null()).map(id).collect();
    match installed[..] {
        [one] => Ok(one.to_owned()),
        [] => bail!(Advice::new("no agent CLI is installed", "`seamux doctor` says what to do")),
        _ => {
            let next = format!("choose with -p one of {}", installed.join(", "));
            bail!(Advice::new("more than one agent CLI is installed", next))
        }
    }
}

fn options(given: &[String]) -> anyhow::Result<BTreeMap<&str, &str>> {
    let pairs = given.iter().map(|it| {
        it.split_once('=').ok_or_else(|| {
            Advice::new(format!("`{it}` is not an option"), "give it as ID=VALUE").into()
        })
    });
    pairs.collect()
}
