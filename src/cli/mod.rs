//! The command line: what a person or a CLI types after `seamux`.
//!
//! The only place that names concrete providers.

pub mod hook;

mod client;
mod config;
mod demo;
mod doctor;
mod inspect;
mod papers;
mod pinned;
mod serve;
mod ui;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};

use crate::providers::claude_code::ClaudeCode;
use crate::seam::AgentProvider;

/// Every provider of this build. A new one is one line here.
fn providers() -> Vec<Arc<dyn AgentProvider>> {
    vec![Arc::new(ClaudeCode::new())]
}

/// Runs real agent CLIs in tmux and gives all of them one web chat.
#[derive(Parser)]
#[command(name = "seamux", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Serves the chat (the default)
    Serve(ServeArgs),
    /// Shows everything in a minute: the real CLI in a private home, talking to a scripted model
    Demo(DemoArgs),
    /// Shows a CLI's own transcript as the chat would, without a server
    Inspect(inspect::InspectArgs),
    /// Tries out everything that a run needs, and says what to do
    Doctor(doctor::DoctorArgs),
    /// Shows the settings, and where each comes from
    Config(config::show::ConfigArgs),
    /// Prints the completions for a shell
    Completions(papers::CompletionsArgs),
    /// Prints the manual page
    Man(papers::ManArgs),
    #[command(flatten)]
    Client(client::ClientCommand),
    /// Takes one signal from a CLI (called by CLIs)
    #[command(hide = true)]
    Hook { args: Vec<OsString> },
}

/// What `serve` and `demo` have in common.
#[derive(Args, Clone, Default)]
struct ServeArgs {
    #[command(flatten)]
    settings: SettingsArgs,
    /// Print one line of JSON when ready, and nothing else
    #[arg(long)]
    json: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Settings that the file and the environment have too.
#[derive(Args, Clone, Default)]
struct SettingsArgs {
    /// Address and port to listen on; port 0 picks a free one [default: 127.0.0.1:7333]
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,
    /// Allow an address that other machines can reach
    #[arg(long)]
    expose: bool,
    /// A further host name under which the page may be opened (repeatable)
    #[arg(long = "allow-host", value_name = "NAME")]
    allow_hosts: Vec<String>,
    /// Where the database, the token and the runs' files are kept
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
    /// Where the sockets are kept
    #[arg(long, value_name = "DIR")]
    runtime_dir: Option<PathBuf>,
    /// The name of the private tmux server (as in `tmux -L NAME`) [default: seamux]
    #[arg(long, value_name = "NAME")]
    tmux_socket: Option<String>,
    /// A folder of instructions, skills and prompts (context.md, skills/, prompts/) for runs that want them
    #[arg(long, value_name = "DIR")]
    seed_dir: Option<PathBuf>,
    /// Seed every run that does not say otherwise
    #[arg(long)]
    seed: bool,
    /// What to log: a level like debug, or a filter like seamux=debug,warn [default: seamux=info,warn]
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,
}

#[derive(Args, Clone, Default)]
struct DemoArgs {
    #[command(flatten)]
    serve: ServeArgs,
    /// The CLI to run, instead of the pinned one from npm
    #[arg(long, value_name = "PROGRAM", env = "SEAMUX_DEMO_CLI")]
    cli: Option<PathBuf>,
    /// A scenario for the scripted model, instead of the one that is built in
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
}

/// Parses, does, and says what went wrong. Exit codes: 0, 1 failed, 2 usage.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        None => serve::serve(&cli.serve),
        Some(Command::Serve(args)) => serve::serve(&args),
        Some(Command::Demo(args)) => demo::demo(&args),
        Some(Command::Inspect(args)) => inspect::inspect(&args),
        Some(Command::Doctor(args)) => doctor::doctor(&args),
        Some(Command::Config(args)) => config::show::show(&args),
        Some(Command::Completions(args)) => papers::completions(&args),
        Some(Command::Man(args)) => papers::man(&args),
        Some(Command::Client(command)) => command.run(),
        Some(Command::Hook { args }) => {
            hook::run(args.into_iter());
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            ui::failure(&error);
            ExitCode::FAILURE
        }
    }
}
