//! The slash commands of a run.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::schema::CommandSpec;

use super::App;
use super::body::Asked;
use super::problem::Problem;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Query {
    /// Also those that only the terminal can take.
    #[serde(default)]
    all: bool,
}

#[derive(Serialize, ToSchema)]
pub(super) struct Commands {
    commands: Vec<CommandSpec>,
}

/// What can be typed with a slash in this run: the commands that the chat can take, or all.
#[utoipa::path(get, path = "/runs/{id}/commands", tag = "runs", params(Query), responses((status = 200, description = "Its commands", body = Commands)))]
pub(super) async fn list_commands(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(query): Asked<Query>,
) -> Result<Json<Commands>, Problem> {
    let mut commands = app.supervisor.commands(&id).await?;
    commands.retain(|it| query.all || it.chat_safe);
    Ok(Json(Commands { commands }))
}
