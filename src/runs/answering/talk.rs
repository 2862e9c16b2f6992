//! A person who wants to talk about a question before they answer it.
//!
//! Through the door their words stand in the answer itself. By keys there is only
//! a row that says so, and the words follow as a reply. They are sent when the
//! record shows that the question was put off, and not before: after an answer
//! that somebody gave at the terminal they would mean something else.

use tracing::warn;

use crate::runs::actor::Actor;
use crate::runs::error::RunError;
use crate::runs::sending::NewReply;
use crate::schema::{Door, Receipt, ReceiptStatus, Response};
use crate::seam::SeamError;

use super::Answering;
use super::held::Answered;

/// Words that go out behind an answer that is proven.
pub(super) struct ToSay {
    /// Of the answer. It is final only when the words are held: until then another
    /// life of ours finds both again.
    pub(super) receipt: Receipt,
    call: String,
    words: String,
}

impl Answering {
    /// Words will follow as soon as the record shows that their question was put off:
    /// nothing else may go in front of them.
    pub(in crate::runs) fn owes_words(&self) -> bool {
        let owes = |it: &Answered| it.receipt.door == Door::Keys && words(&it.response).is_some();
        self.answered.iter().any(owes)
    }

    /// Gives the receipt back if nothing is to be said behind it.
    pub(super) fn keep_words(&mut self, receipt: Receipt, response: &Response) -> Option<Receipt> {
        let (Some(words), Door::Keys) = (words(response), receipt.door) else {
            return Some(receipt);
        };
        let call = receipt.dialog_id.clone().unwrap_or_default();
        self.to_say.push(ToSay { receipt, call, words: words.to_owned() });
        None
    }
}

impl Actor {
    /// What cannot be sent as a message is refused before the first key.
    pub(in crate::runs) fn check_words(&self, response: &Response) -> Result<(), RunError> {
        let Some(words) = words(response) else { return Ok(()) };
        if self.provider.reply(words)?.is_command {
            let detail = "these words are a command of the agent; send it as a message".into();
            return Err(SeamError::Invalid { field: "discuss", detail }.into());
        }
        Ok(())
    }

    /// Holds the words of answers that are proven, in front of all other replies:
    /// those were meant for later.
    pub(in crate::runs) async fn say_on(&mut self) {
        for ToSay { mut receipt, call, words } in std::mem::take(&mut self.answering.to_say) {
            // Its own id: a crash right behind this does not send them twice.
            let client_id = Some(format!("{}-words", receipt.id));
            let reply = NewReply { text: words, client_id, ..NewReply::default() };
            let by = receipt.by.clone();
            if let Err(error) = self.hold_first(reply, &by).await {
                warn!(%error, "The words behind an answer could not be held");
                receipt.detail = Some(format!("The words were not sent: {error}."));
            }
            receipt.status = ReceiptStatus::Recorded;
            self.publish_proof(receipt, &call);
        }
    }
}

/// What a person said beside that they want to talk, if they said anything.
fn words(response: &Response) -> Option<&str> {
    match response {
        Response::Discuss { discuss } => Some(discuss.as_str()).filter(|it| !it.trim().is_empty()),
        Response::Answers(_) => None,
    }
}
