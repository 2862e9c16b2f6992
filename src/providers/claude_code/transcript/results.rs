//! What a tool gave back.

use crate::schema::{ToolStatus, ToolView};
use crate::seam::{Fact, ToolOutcome};

use super::carriers::plain;
use super::dialogs::{self, Ending};
use super::loose::Shape;
use super::page::Page;
use super::record::{InnerPart, Native, NativeResult, Part};
use super::{Call, ClaudeMapper, tools};

const REJECTED: &str = "The user doesn't want to";
const FEEDBACK: &str = "the user said:\n";

pub(super) fn read(
    mapper: &mut ClaudeMapper,
    native: &Native<'_>,
    part: &Part<'_>,
    owns_twin: bool,
    block: u32,
    page: &mut Page<'_>,
) {
    let Some(call_id) = part.tool_use_id.words() else {
        page.unknown(block, "user/tool_result");
        return;
    };
    let call = mapper.open.remove(call_id);
    let twin = owns_twin.then_some(&native.tool_use_result);
    let result = twin.and_then(Shape::one);
    let text = output(&part.content);
    let failed = part.is_error.is_true();

    let rejected = failed
        && (text.starts_with(REJECTED)
            || text.starts_with("[Request interrupted by user")
            || twin.and_then(Shape::text) == Some("User rejected tool use")
            || native.tool_denial_kind.text() == Some("user-rejected"));
    let aborted = result.is_some_and(|it| it.interrupted.is_true());
    let status = match (rejected || aborted, failed) {
        (true, _) => ToolStatus::Cancelled,
        (false, true) => ToolStatus::Error,
        (false, false) => ToolStatus::Ok,
    };
    let words = if rejected {
        // The rest is for the model: that it must stop, and wait.
        text.split_once(FEEDBACK).map(|it| it.1.trim().to_owned())
    } else {
        Some(own_words(&text, result)).filter(|it| !it.is_empty())
    };
    let dialog = dialogs::outcome(
        &Ending {
            known: call.as_ref().and_then(|it| it.dialog.as_ref()),
            failed,
            words: words.as_deref(),
            result,
        },
        call.is_some(),
    );
    if let Some(agent) =
        result.filter(|it| it.is_async.is_true()).and_then(|it| it.agent_id.words())
    {
        page.fact(Fact::BackgroundStarted { id: agent.to_owned(), time: page.time() });
    }
    // A bare rejection stops the turn; one with words lets the model react to them.
    let goes_on = !rejected || words.is_some();
    page.fact(Fact::ToolEnded(Box::new(ToolOutcome {
        call_id: call_id.to_owned(),
        status,
        view: view(call.as_ref(), result, &text, status),
        output: words,
        ended_at: page.time(),
        dialog,
    })));
    if goes_on {
        page.fact(Fact::TurnGoesOn);
    }
}

/// The text of a result; parts that are not text leave a mark.
fn output(content: &Shape<'_, InnerPart<'_>>) -> String {
    match content {
        Shape::Many(parts) => {
            let parts: Vec<_> = parts.iter().map(inner).collect();
            parts.join("\n")
        }
        _ => content.text().unwrap_or_default().to_owned(),
    }
}

fn inner(part: &Shape<'_, InnerPart<'_>>) -> String {
    match part {
        Shape::One(part) => match (part.text.text(), part.kind.text()) {
            (Some(text), _) => text.to_owned(),
            (None, kind) => format!("[{}]", kind.unwrap_or("part")),
        },
        _ => part.text().unwrap_or("[part]").to_owned(),
    }
}

/// What the tool said, without what the CLI adds for the model.
fn own_words(text: &str, result: Option<&NativeResult<'_>>) -> String {
    if let Some(result) = result
        && result.agent_id.words().is_some()
    {
        if result.is_async.is_true() {
            return "Runs in the background".to_owned();
        }
        if let report @ Shape::Many(_) = &result.content {
            return output(report);
        }
    }
    let text = text
        .strip_prefix("<tool_use_error>")
        .and_then(|it| it.strip_suffix("</tool_use_error>"))
        .unwrap_or(text);
    plain(text)
}

/// The view, where the result knows more than the call.
fn view(
    call: Option<&Call>,
    result: Option<&NativeResult<'_>>,
    text: &str,
    status: ToolStatus,
) -> Option<ToolView> {
    if let Some(command) = call.and_then(|it| it.command.as_ref()) {
        return Some(ToolView::Command {
            command: command.clone(),
            exit_code: exit_code(result, text, status),
            background: result.is_some_and(|it| it.background_task_id.words().is_some()),
        });
    }
    let result = result?;
    if let (Some(path), Shape::Many(hunks)) = (result.file_path.words(), &result.structured_patch) {
        // A new file has no hunks, and the call has shown it whole.
        return (!hunks.is_empty())
            .then(|| ToolView::Diff { path: path.to_owned(), diff: tools::unified(hunks) });
    }
    let agent = result.agent_id.words()?;
    let described = call.and_then(|it| it.description.as_deref());
    Some(ToolView::Subagent {
        description: described.or(result.description.words()).unwrap_or_default().to_owned(),
        agent: Some(agent.to_owned()),
    })
}

/// Failing commands say it in their first line. A success says nothing, and can
/// stand for another code that the CLI takes for one.
fn exit_code(result: Option<&NativeResult<'_>>, text: &str, status: ToolStatus) -> Option<i32> {
    match status {
        ToolStatus::Error => {
            let line = text.lines().next()?;
            line.strip_prefix("Exit code ")?.trim().parse().ok()
        }
        ToolStatus::Ok => {
            let result = result?;
            let ended = result.stdout.is_text()
                && result.background_task_id.words().is_none()
                && result.return_code_interpretation.words().is_none();
            ended.then_some(0)
        }
        ToolStatus::Running | ToolStatus::Cancelled => None,
    }
}
