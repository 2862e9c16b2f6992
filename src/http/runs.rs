//! Runs: list, start, talk to, stop.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::runs::NewRun;
use crate::schema::{Answer, Attach, Forgotten, ProviderInfo, Receipt, Response, Run, RunState};

use super::App;
use super::body::{Asked, Body, OptionalBody};
use super::events::cursor_text;
use super::guard::Caller;
use super::path::Path;
use super::problem::{Fields, Problem};

#[derive(Serialize, ToSchema)]
pub(super) struct Providers {
    providers: Vec<ProviderInfo>,
}

/// The agent CLIs that this server can drive.
#[utoipa::path(get, path = "/providers", tag = "providers", responses((status = 200, description = "All providers", body = Providers)))]
pub(super) async fn list_providers(State(app): State<App>) -> Json<Providers> {
    Json(Providers { providers: app.supervisor.providers().await })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct RunsQuery {
    state: Option<RunState>,
    /// A part of the title or the folder.
    q: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// From where the event stream goes on after this list.
    cursor: String,
}

/// Most urgent first; of equally urgent ones, the most recently active.
#[utoipa::path(get, path = "/runs", tag = "runs", params(RunsQuery), responses((status = 200, description = "The runs", body = Runs)))]
pub(super) async fn list_runs(
    State(app): State<App>,
    Asked(query): Asked<RunsQuery>,
) -> Json<Runs> {
    let hub = app.supervisor.hub();
    // Read before the list: a change in between is then sent again, not missed.
    let cursor = cursor_text(hub, hub.revision());
    let words = query.q.unwrap_or_default().to_lowercase();
    let mut runs = hub.runs();
    runs.retain(|run| {
        query.state.is_none_or(|state| run.state == state)
            && (run.title.to_lowercase().contains(&words)
                || run.cwd.to_lowercase().contains(&words))
    });
    runs.sort_by(|a, b| {
        let urgency = a.state.urgency().cmp(&b.state.urgency());
        urgency.then_with(|| b.last_activity_at.cmp(&a.last_activity_at))
    });
    Json(Runs { runs, cursor })
}

/// Starts a CLI in a terminal of its own.
#[utoipa::path(post, path = "/runs", tag = "runs", request_body = NewRun, responses((status = 201, description = "It is started", body = Run)))]
pub(super) async fn create_run(
    State(app): State<App>,
    Body(new): Body<NewRun>,
) -> Result<(StatusCode, Json<Run>), Problem> {
    // Carried through even if the caller leaves: half a start helps nobody.
    let supervisor = app.supervisor.clone();
    let started = tokio::spawn(async move { supervisor.create(new).await });
    let run = started.await.map_err(|_| super::problem::internal())??;
    Ok((StatusCode::CREATED, Json(run)))
}

/// One run.
#[utoipa::path(get, path = "/runs/{id}", tag = "runs", responses((status = 200, description = "The run", body = Run)))]
pub(super) async fn get_run(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Run>, Problem> {
    let run = app.supervisor.hub().run(&id);
    run.map(Json).ok_or_else(|| crate::runs::RunError::NotFound(id).into())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunChange {
    title: String,
}

/// Renames a run.
#[utoipa::path(patch, path = "/runs/{id}", tag = "runs", request_body = RunChange, responses((status = 200, description = "As it is now", body = Run)))]
pub(super) async fn change_run(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(change): Body<RunChange>,
) -> Result<Json<Run>, Problem> {
    Ok(Json(app.supervisor.rename(&id, &change.title).await?))
}

/// Carried through even if the caller leaves, as for a new run.
#[utoipa::path(delete, path = "/runs/{id}", tag = "runs", responses((status = 200, description = "It is in no list any more", body = Forgotten)))]
pub(super) async fn forget_run(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Forgotten>, Problem> {
    let supervisor = app.supervisor.clone();
    let forgotten = tokio::spawn(async move { supervisor.forget(&id).await });
    Ok(Json(forgotten.await.map_err(|_| super::problem::internal())??))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StopRequest {
    #[serde(default)]
    force: bool,
}

/// Asks the CLI to end, or ends it. It is over when the run's state says so.
#[utoipa::path(post, path = "/runs/{id}/stop", tag = "runs", request_body(content = Option<StopRequest>), responses((status = 202, description = "It was asked to end")))]
pub(super) async fn stop_run(
    State(app): State<App>,
    Path(id): Path<String>,
    OptionalBody(request): OptionalBody<StopRequest>,
) -> Result<StatusCode, Problem> {
    app.supervisor.stop_run(&id, request.force).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Carried through even if the caller leaves, as for a new run.
#[utoipa::path(post, path = "/runs/{id}/resume", tag = "runs", responses((status = 202, description = "It is started again", body = Run)))]
pub(super) async fn resume_run(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Run>), Problem> {
    let supervisor = app.supervisor.clone();
    let resumed = tokio::spawn(async move { supervisor.resume(&id).await });
    let run = resumed.await.map_err(|_| super::problem::internal())??;
    Ok((StatusCode::ACCEPTED, Json(run)))
}

#[derive(Serialize, ToSchema)]
pub(super) struct RegainedRuns {
    resumed: Vec<Run>,
    failed: Vec<NotResumed>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct NotResumed {
    id: String,
    #[schema(value_type = Fields)]
    problem: Problem,
}

/// Every run whose process went away unseen, as in a reboot. Carried through
/// even if the caller leaves.
#[utoipa::path(post, path = "/resume", tag = "runs", responses((status = 200, description = "Which were started, and which were not", body = RegainedRuns)))]
pub(super) async fn resume_lost(State(app): State<App>) -> Result<Json<RegainedRuns>, Problem> {
    let supervisor = app.supervisor.clone();
    let regained = tokio::spawn(async move { supervisor.resume_lost().await });
    let regained = regained.await.map_err(|_| super::problem::internal())?;
    let failed = regained.failed.into_iter();
    let failed = failed.map(|(id, error)| NotResumed { id, problem: error.into() });
    Ok(Json(RegainedRuns { resumed: regained.resumed, failed: failed.collect() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerRequest {
    dialog_id: String,
    answers: Option<Vec<Answer>>,
    /// Instead of answers: the person wants to talk about it first, and says this.
    discuss: Option<String>,
    client_id: Option<String>,
}

/// Answers a pending dialog, or says that the person wants to talk about it first.
#[utoipa::path(post, path = "/runs/{id}/answer", tag = "talk", request_body = AnswerRequest, responses((status = 202, description = "What will become of it", body = Receipt)))]
pub(super) async fn answer_dialog(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Body(request): Body<AnswerRequest>,
) -> Result<(StatusCode, Json<Receipt>), Problem> {
    let AnswerRequest { dialog_id, answers, discuss, client_id } = request;
    let response = match (answers, discuss) {
        (Some(answers), None) => Response::Answers(answers),
        (None, Some(discuss)) => Response::Discuss { discuss },
        _ => {
            let detail = "Exactly one of `answers` and `discuss` has to be there.";
            let unprocessable = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(Problem::new(unprocessable, "invalid_answer", detail).field("answers"));
        }
    };
    let by = caller.name().to_owned();
    let receipt = app.supervisor.answer(&id, dialog_id, response, client_id, by).await?;
    Ok((StatusCode::ACCEPTED, Json(receipt)))
}

/// Stops the agent in the middle of its turn.
#[utoipa::path(post, path = "/runs/{id}/interrupt", tag = "talk", responses((status = 202, description = "What will become of it", body = Receipt)))]
pub(super) async fn interrupt_run(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Receipt>), Problem> {
    let receipt = app.supervisor.interrupt(&id, caller.name().to_owned()).await?;
    Ok((StatusCode::ACCEPTED, Json(receipt)))
}

/// How a person gets to the live terminal.
#[utoipa::path(get, path = "/runs/{id}/attach", tag = "runs", responses((status = 200, description = "The command", body = Attach)))]
pub(super) async fn get_attach(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Attach>, Problem> {
    Ok(Json(app.supervisor.attach(&id)?))
}
