//! The slash commands of a run.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};

use crate::schema::CommandSpec;

use super::App;
use super::body::Asked;
use super::problem::Problem;

#[derive(Deserialize)]
pub(super) struct Query {
    /// Also those that only the terminal can take.
    #[serde(default)]
    all: bool,
}

#[derive(Serialize)]
pub(super) struct Commands {
    commands: Vec<CommandSpec>,
}

pub(super) async fn list_commands(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(query): Asked<Query>,
) -> Result<Json<Commands>, Problem> {
    let mut commands = app.supervisor.commands(&id).await?;
    commands.retain(|it| query.all || it.chat_safe);
    Ok(Json(Commands { commands }))
}
