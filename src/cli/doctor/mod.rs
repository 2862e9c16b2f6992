//! `seamux doctor`: tries out everything that a run needs, and says what to do.

mod folders;
mod hooks;
mod machine;
mod server;

use std::fmt::Write as _;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::SettingsArgs;
use super::config::Config;
use super::serve::{places, runtime};
use super::ui::{Advice, plain, print};

#[derive(Args)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    settings: SettingsArgs,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
}

/// One thing that was tried.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    status: Status,
    /// What was seen.
    detail: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Ok,
    /// It works, and something may be missing.
    Warning,
    Failed,
}

impl Check {
    fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, status: Status::Ok, detail: detail.into(), hint: None }
    }

    fn warning(name: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { status: Status::Warning, hint: Some(hint.into()), ..Self::ok(name, detail) }
    }

    fn failed(name: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { status: Status::Failed, hint: Some(hint.into()), ..Self::ok(name, detail) }
    }
}

pub(super) fn doctor(args: &DoctorArgs) -> anyhow::Result<()> {
    let config = Config::load("seamux", &args.settings)?;
    let checks = runtime()?.block_on(all(&config))?;
    let failed = checks.iter().filter(|it| it.status == Status::Failed).count();
    if args.json {
        print(&format!("{}\n", serde_json::json!({ "ok": failed == 0, "checks": checks })))?;
    } else {
        print(&told(&checks))?;
    }
    if failed > 0 {
        let next = "do what stands below each, and run `seamux doctor` again";
        bail!(Advice::new(format!("{failed} of {} checks failed", checks.len()), next));
    }
    Ok(())
}

async fn all(config: &Config) -> anyhow::Result<Vec<Check>> {
    let places = places(config)?;
    let mut checks = vec![machine::tmux(config).await];
    for place in &places {
        checks.push(machine::cli(place).await);
        checks.extend(machine::key(place));
    }
    checks.push(machine::git(&places));
    checks.extend(folders::check(config));
    checks.push(hooks::round_trip().await);
    checks.push(machine::watching());
    checks.push(server::check(config).await);
    Ok(checks)
}

fn told(checks: &[Check]) -> String {
    let mut text = String::new();
    for it in checks {
        let mark = match it.status {
            Status::Ok => "ok     ",
            Status::Warning => "warning",
            Status::Failed => "FAILED ",
        };
        _ = writeln!(text, "{mark}  {:12}  {}", it.name, plain(&it.detail, 400));
        if let Some(hint) = &it.hint {
            _ = writeln!(text, "         {:12}  -> {}", "", plain(hint, 400));
        }
    }
    text
}
