//! `seamux completions` and `seamux man`, made of the same definitions that parse.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Cli;
use super::ui::print;

#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// For which shell
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "seamux", &mut text);
    print(&String::from_utf8_lossy(&text))
}

#[derive(Args)]
pub(super) struct ManArgs {
    /// The page of one command, instead of that of the program
    command: Option<String>,
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<()> {
    let mut program = Cli::command();
    program.build();
    let wanted = match &args.command {
        Some(name) => program.find_subcommand(name).filter(|it| !it.is_hide_set()).cloned(),
        None => Some(program),
    };
    let wanted = wanted.ok_or_else(|| {
        let name = args.command.as_deref().unwrap_or_default();
        super::ui::Advice::new(format!("there is no command `{name}`"), "`seamux help` lists them")
    })?;
    let mut page = Vec::new();
    // The page of a command is found as `seamux-ls`.
    let title = wanted.get_display_name().unwrap_or("seamux").to_owned();
    clap_mangen::Man::new(wanted).title(title).render(&mut page)?;
    print(&String::from_utf8_lossy(&page))
}
