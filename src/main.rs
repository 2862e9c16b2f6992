//! The `seamux` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    // First of all, because a CLI waits for it.
    if args.next().is_some_and(|command| command == "hook") {
        seamux::cli::hook::run(args);
        return ExitCode::SUCCESS;
    }
    seamux::cli::run()
}
