//! `seamux demo`: the real CLI, a scripted model, a home of its own, and a run
//! that is already open.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tracing::warn;

use crate::providers::claude_code::ClaudeCode;
use crate::runs::{NewRun, Place, Supervisor, base_env};
use crate::schema::RunState;
use crate::scripted_model::{Scenario, ScriptedModel};
use crate::seam::{AgentHome, AgentProvider};

use super::DemoArgs;
use super::config::Config;
use super::pinned::pinned_cli;
use super::serve::{Server, runtime};

/// The first message. The scenario answers it with what can be tried.
const FIRST_MESSAGE: &str = "What can I try here?";

/// A file that the demo's tools can look at and edit.
const NOTES: &str = "# Demo notes\n\nThe scripted model edits this file when you ask for it.\n";

pub(super) fn demo(args: &DemoArgs) -> anyhow::Result<()> {
    let config = Config::load("seamux-demo", &args.serve.settings)?;
    let state_dir = config.state_dir.clone();
    let scenario = match &args.scenario {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("could not read the scenario {}", path.display()))?;
            Scenario::from_toml(&path.display().to_string(), &text)?
        }
        None => Scenario::demo(),
    };
    let provider = std::sync::Arc::new(ClaudeCode::new());
    let mut server = Server::prepare(config, Vec::new(), true)?;
    let program = match &args.cli {
        Some(program) => std::fs::canonicalize(program)
            .with_context(|| format!("there is no program {}", program.display()))?,
        None => pinned_cli(&state_dir.join("cli"))?,
    };
    let (home, workspace) = (state_dir.join("home"), state_dir.join("workspace"));
    furnish(&home, &workspace)?;

    runtime()?.block_on(async {
        let (model, same_port) = start_model(&state_dir, scenario).await?;
        let mut env = base_env(std::env::vars());
        env.retain(|(name, _)| {
            !name.starts_with("XDG_") && name != "HOME" && name != "SSH_AUTH_SOCK"
        });
        env.push(("HOME".into(), home.to_string_lossy().into_owned()));
        env.extend(provider.scripted_env(&model.url()));
        let home = AgentHome { home, env, configured: Vec::new(), private: true };
        server.set_places(vec![Place {
            provider: provider.clone(),
            home,
            program: Some(program),
            api_key_file: None,
        }]);
        let running = server.start().await?;
        let run =
            open_run(&running.supervisor, provider.descriptor().id, &workspace, same_port).await?;
        running.announce(Some(&run), &args.serve);
        let result = running.until_stopped().await;
        model.stop().await;
        result
    })
}

fn furnish(home: &Path, workspace: &Path) -> anyhow::Result<()> {
    for dir in [home, workspace] {
        std::fs::create_dir_all(dir)
            .with_context(|| format!("could not make {}", dir.display()))?;
    }
    let notes = workspace.join("demo-notes.md");
    if !notes.exists() {
        std::fs::write(&notes, NOTES)?;
    }
    Ok(())
}

/// Starts the model on the port of the last time: a CLI that ran on while the
/// demo was away knows that address. Says whether it got it.
async fn start_model(
    state_dir: &Path,
    scenario: Scenario,
) -> anyhow::Result<(ScriptedModel, bool)> {
    let file: PathBuf = state_dir.join("model-port");
    let last: u16 =
        std::fs::read_to_string(&file).ok().and_then(|it| it.trim().parse().ok()).unwrap_or(0);
    let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let (model, same_port) = match ScriptedModel::start(at(last), scenario.clone()).await {
        Ok(model) => (model, last != 0),
        Err(error) if last != 0 => {
            warn!(%error, "The model's port is taken; runs from before cannot reach it");
            (ScriptedModel::start(at(0), scenario).await?, false)
        }
        Err(error) => return Err(error.into()),
    };
    std::fs::write(&file, model.addr.port().to_string())?;
    Ok((model, same_port))
}

/// The run to open: one that still lives, or a new one.
async fn open_run(
    supervisor: &Supervisor,
    provider: &str,
    workspace: &Path,
    model_is_known: bool,
) -> anyhow::Result<String> {
    let mut living = supervisor.hub().runs();
    living.retain(|run| run.state != RunState::Ended);
    living.sort_by(|a, b| b.created_at.cmp(&a.created_at));
    if model_is_known && let Some(run) = living.first() {
        return Ok(run.id.clone());
    }
    for run in living {
        // It would wait for ever for a model that has another address now.
        supervisor.stop_run(&run.id, true).await.ok();
    }
    let run = supervisor
        .create(NewRun {
            provider: provider.to_owned(),
            cwd: workspace.to_string_lossy().into_owned(),
            prompt: Some(FIRST_MESSAGE.to_owned()),
            title: Some("A first look".to_owned()),
            ..NewRun::default()
        })
        .await?;
    Ok(run.id)
}
