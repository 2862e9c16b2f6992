//! Dialogs: what stops the agent until a person answers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A question, a plan or an approval that waits for a person, or did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dialog {
    pub id: String,
    pub kind: DialogKind,
    pub title: String,
    /// Markdown, never cut: a plan that cannot be read whole cannot be approved.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
    pub questions: Vec<Question>,
    pub answerable: bool,
    /// Instead of an answer, a person may say that they want to talk about it first.
    #[serde(default, skip_serializing_if = "is_not")]
    pub can_discuss: bool,
    pub channel: Channel,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DialogKind {
    Question,
    Plan,
    Approval,
}

/// Through which door an answer would go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    Live,
    Keys,
    None,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Question {
    pub header: String,
    pub text: String,
    pub options: Vec<QuestionOption>,
    pub multi_select: bool,
    pub free_text: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuestionOption {
    pub label: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
}

/// A person's answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The options that were chosen, by their place in the list.
    #[serde(default)]
    pub selected: Vec<usize>,
    /// The person's own words, instead of an option or beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_text: Option<String>,
}

/// What a person says to a dialog. As JSON it is a list of answers, or `{"discuss": words}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Response {
    /// One for each question.
    Answers(Vec<Answer>),
    /// No answer yet: let us talk about it. The words may be empty.
    Discuss { discuss: String },
}

/// How a dialog ended, as the CLI recorded it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// False when it was declined, cancelled or left unanswered.
    pub accepted: bool,
    /// A person wanted to talk about it first.
    #[serde(default, skip_serializing_if = "is_not")]
    pub discussed: bool,
    /// One entry per question that was answered: its text and the answer.
    pub answers: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_not(it: &bool) -> bool {
    !*it
}
