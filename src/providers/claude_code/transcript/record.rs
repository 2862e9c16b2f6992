//! The shape of a transcript's records, as far as anything reads them.
//!
//! One flat struct for every type of record: the type stands behind the message
//! in some of them, so it can't steer the parse. Every field is loose. A field
//! of an odd type reads as absent and costs neither its neighbours nor the record;
//! whether it was needed is decided where it is used.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::attached::{Held, Source};
use super::loose::{Entries, Scalar, Shape};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Native<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Scalar<'a>,
    #[serde(borrow)]
    pub(super) uuid: Scalar<'a>,
    #[serde(borrow)]
    pub(super) parent_uuid: Scalar<'a>,
    #[serde(borrow)]
    pub(super) logical_parent_uuid: Scalar<'a>,
    #[serde(borrow)]
    pub(super) subtype: Scalar<'a>,
    #[serde(borrow)]
    pub(super) timestamp: Scalar<'a>,
    #[serde(borrow)]
    pub(super) message: Shape<'a, NativeMessage<'a>>,
    #[serde(borrow)]
    pub(super) tool_use_result: Shape<'a, NativeResult<'a>>,
    #[serde(borrow)]
    pub(super) attachment: Shape<'a, Attachment<'a>>,
    #[serde(borrow)]
    pub(super) content: Shape<'a, Part<'a>>,
    #[serde(borrow)]
    pub(super) origin: Shape<'a, Origin<'a>>,
    #[serde(borrow)]
    pub(super) compact_metadata: Shape<'a, Compaction<'a>>,
    #[serde(borrow)]
    pub(super) is_meta: Scalar<'a>,
    #[serde(borrow)]
    pub(super) is_sidechain: Scalar<'a>,
    #[serde(borrow)]
    pub(super) is_compact_summary: Scalar<'a>,
    #[serde(borrow)]
    pub(super) is_api_error_message: Scalar<'a>,
    #[serde(borrow)]
    pub(super) is_aborted_mid_stream: Scalar<'a>,
    #[serde(borrow)]
    pub(super) refusal_retry: Scalar<'a>,
    #[serde(borrow)]
    pub(super) error: Scalar<'a>,
    #[serde(borrow)]
    pub(super) agent_id: Scalar<'a>,
    #[serde(borrow)]
    pub(super) git_branch: Scalar<'a>,
    #[serde(borrow)]
    pub(super) prompt_source: Scalar<'a>,
    #[serde(borrow)]
    pub(super) prevent_continuation: Scalar<'a>,
    #[serde(borrow)]
    pub(super) row_source: Scalar<'a>,
    #[serde(borrow)]
    pub(super) tool_denial_kind: Scalar<'a>,
    #[serde(borrow)]
    pub(super) operation: Scalar<'a>,
    #[serde(borrow)]
    pub(super) reason: Scalar<'a>,
    #[serde(borrow)]
    pub(super) level: Scalar<'a>,
    #[serde(borrow)]
    pub(super) retry_attempt: Scalar<'a>,
    #[serde(borrow)]
    pub(super) max_retries: Scalar<'a>,
    #[serde(borrow)]
    pub(super) custom_title: Scalar<'a>,
    #[serde(borrow)]
    pub(super) ai_title: Scalar<'a>,
    #[serde(borrow)]
    pub(super) summary: Scalar<'a>,
    #[serde(borrow)]
    pub(super) permission_mode: Scalar<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NativeMessage<'a> {
    #[serde(borrow)]
    pub(super) id: Scalar<'a>,
    #[serde(borrow)]
    pub(super) model: Scalar<'a>,
    #[serde(borrow)]
    pub(super) stop_reason: Scalar<'a>,
    #[serde(borrow)]
    pub(super) content: Shape<'a, Part<'a>>,
    #[serde(borrow)]
    pub(super) usage: Shape<'a, Usage<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Usage<'a> {
    #[serde(borrow)]
    pub(super) input_tokens: Scalar<'a>,
    #[serde(borrow)]
    pub(super) cache_creation_input_tokens: Scalar<'a>,
    #[serde(borrow)]
    pub(super) cache_read_input_tokens: Scalar<'a>,
    #[serde(borrow)]
    pub(super) output_tokens: Scalar<'a>,
}

/// One block of a message. Flat, so that an unknown type is a value like any other.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Scalar<'a>,
    #[serde(borrow)]
    pub(super) text: Scalar<'a>,
    #[serde(borrow)]
    pub(super) thinking: Scalar<'a>,
    #[serde(borrow)]
    pub(super) id: Scalar<'a>,
    #[serde(borrow)]
    pub(super) name: Scalar<'a>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_use_id: Scalar<'a>,
    #[serde(borrow)]
    pub(super) is_error: Scalar<'a>,
    #[serde(borrow)]
    pub(super) content: Shape<'a, InnerPart<'a>>,
    #[serde(borrow)]
    pub(super) source: Shape<'a, Source<'a>>,
}

/// One part of what a tool gave back.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct InnerPart<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Scalar<'a>,
    #[serde(borrow)]
    pub(super) text: Scalar<'a>,
}

/// The structured twin of a tool's result; which fields it has is up to the tool.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct NativeResult<'a> {
    #[serde(borrow)]
    pub(super) stdout: Scalar<'a>,
    #[serde(borrow)]
    pub(super) interrupted: Scalar<'a>,
    #[serde(borrow)]
    pub(super) background_task_id: Scalar<'a>,
    #[serde(borrow)]
    pub(super) return_code_interpretation: Scalar<'a>,
    #[serde(borrow)]
    pub(super) file_path: Scalar<'a>,
    #[serde(borrow)]
    pub(super) structured_patch: Shape<'a, Hunk<'a>>,
    #[serde(borrow)]
    pub(super) questions: Shape<'a, AskedQuestion<'a>>,
    #[serde(borrow)]
    pub(super) answers: Entries<'a, Nothing>,
    #[serde(borrow)]
    pub(super) annotations: Entries<'a, Annotation<'a>>,
    #[serde(borrow)]
    pub(super) plan: Scalar<'a>,
    /// Only the result of a plan has this, whatever its value.
    #[serde(borrow)]
    pub(super) is_agent: Scalar<'a>,
    #[serde(borrow)]
    pub(super) is_async: Scalar<'a>,
    #[serde(borrow)]
    pub(super) agent_id: Scalar<'a>,
    #[serde(borrow)]
    pub(super) description: Scalar<'a>,
    #[serde(borrow)]
    pub(super) content: Shape<'a, InnerPart<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Hunk<'a> {
    #[serde(borrow)]
    pub(super) old_start: Scalar<'a>,
    #[serde(borrow)]
    pub(super) old_lines: Scalar<'a>,
    #[serde(borrow)]
    pub(super) new_start: Scalar<'a>,
    #[serde(borrow)]
    pub(super) new_lines: Scalar<'a>,
    #[serde(borrow)]
    pub(super) lines: Shape<'a, Nothing>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct AskedQuestion<'a> {
    #[serde(borrow)]
    pub(super) question: Scalar<'a>,
    #[serde(borrow)]
    pub(super) header: Scalar<'a>,
    #[serde(borrow)]
    pub(super) multi_select: Scalar<'a>,
    #[serde(borrow)]
    pub(super) options: Shape<'a, AskedOption<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AskedOption<'a> {
    #[serde(borrow)]
    pub(super) label: Scalar<'a>,
    #[serde(borrow)]
    pub(super) description: Scalar<'a>,
    #[serde(borrow)]
    pub(super) preview: Scalar<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Scalar<'a>,
    #[serde(borrow)]
    pub(super) prompt: Shape<'a, Part<'a>>,
    #[serde(borrow)]
    pub(super) origin: Shape<'a, Origin<'a>>,
    #[serde(borrow)]
    pub(super) hook_name: Scalar<'a>,
    #[serde(borrow)]
    pub(super) stderr: Scalar<'a>,
    #[serde(borrow)]
    pub(super) message: Scalar<'a>,
    #[serde(borrow)]
    pub(super) content: Shape<'a, Held<'a>>,
    #[serde(borrow)]
    pub(super) filename: Scalar<'a>,
    #[serde(borrow)]
    pub(super) display_path: Scalar<'a>,
    #[serde(borrow)]
    pub(super) blocking_error: Shape<'a, HookError<'a>>,
    #[serde(borrow)]
    pub(super) decision: Scalar<'a>,
    #[serde(borrow, rename = "toolUseID")]
    pub(super) tool_use_id: Scalar<'a>,
}

/// What a hook said that stopped something.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct HookError<'a> {
    #[serde(borrow)]
    pub(super) blocking_error: Scalar<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    pub(super) kind: Scalar<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Compaction<'a> {
    #[serde(borrow)]
    pub(super) trigger: Scalar<'a>,
    #[serde(borrow)]
    pub(super) pre_tokens: Scalar<'a>,
    #[serde(borrow)]
    pub(super) post_tokens: Scalar<'a>,
    #[serde(borrow)]
    pub(super) preserved_segment: Shape<'a, Preserved<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Preserved<'a> {
    #[serde(borrow)]
    pub(super) head_uuid: Scalar<'a>,
    #[serde(borrow)]
    pub(super) anchor_uuid: Scalar<'a>,
    #[serde(borrow)]
    pub(super) tail_uuid: Scalar<'a>,
}

/// A map of which no member is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Nothing {}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Annotation<'a> {
    #[serde(borrow)]
    pub(super) notes: Scalar<'a>,
}

/// What goes into a tool, as far as titles and views need it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Input<'a> {
    #[serde(borrow)]
    pub(super) command: Scalar<'a>,
    #[serde(borrow)]
    pub(super) run_in_background: Scalar<'a>,
    #[serde(borrow)]
    pub(super) description: Scalar<'a>,
    #[serde(borrow)]
    pub(super) file_path: Scalar<'a>,
    #[serde(borrow)]
    pub(super) notebook_path: Scalar<'a>,
    #[serde(borrow)]
    pub(super) path: Scalar<'a>,
    #[serde(borrow)]
    pub(super) pattern: Scalar<'a>,
    #[serde(borrow)]
    pub(super) query: Scalar<'a>,
    #[serde(borrow)]
    pub(super) url: Scalar<'a>,
    #[serde(borrow)]
    pub(super) content: Scalar<'a>,
    #[serde(borrow)]
    pub(super) new_source: Scalar<'a>,
    #[serde(borrow)]
    pub(super) old_string: Scalar<'a>,
    #[serde(borrow)]
    pub(super) new_string: Scalar<'a>,
    #[serde(borrow)]
    pub(super) edits: Shape<'a, Replacement<'a>>,
    #[serde(borrow)]
    pub(super) todos: Shape<'a, Todo<'a>>,
    #[serde(borrow)]
    pub(super) skill: Scalar<'a>,
    #[serde(borrow)]
    pub(super) args: Scalar<'a>,
    #[serde(borrow)]
    pub(super) subject: Scalar<'a>,
    #[serde(borrow)]
    pub(super) prompt: Scalar<'a>,
    #[serde(borrow)]
    pub(super) plan: Scalar<'a>,
    #[serde(borrow)]
    pub(super) questions: Shape<'a, AskedQuestion<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Replacement<'a> {
    #[serde(borrow)]
    pub(super) old_string: Scalar<'a>,
    #[serde(borrow)]
    pub(super) new_string: Scalar<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Todo<'a> {
    #[serde(borrow)]
    pub(super) content: Scalar<'a>,
    #[serde(borrow)]
    pub(super) status: Scalar<'a>,
}
