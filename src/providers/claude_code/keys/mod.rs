//! Dialogs answered by keys: which keys, and what the screen must show for each.
//!
//! [`recipes`] says what to press, [`sight`] compares a screen with where that
//! may be pressed, [`versions`] holds what differs from version to version.

mod recipes;
mod screen;
mod sight;
mod startup;
mod versions;

use crate::schema::{Channel, Dialog, DialogKind, Response, ToolCall};
use crate::seam::{DialogKeys, DialogRecipe, SeamError, Seen, Spot, StartupCheck};

use super::{ClaudeCode, asking};

impl DialogKeys for ClaudeCode {
    fn by_keys(&self, mut dialog: Dialog) -> Dialog {
        if dialog.kind == DialogKind::Plan {
            dialog.questions = vec![asking::plan_question()];
        }
        for question in &mut dialog.questions {
            question.free_text &= !sight::has_previews(question);
        }
        dialog.answerable =
            dialog.kind != DialogKind::Question || asking::is_answerable(&dialog.questions);
        dialog.can_discuss = dialog.answerable && dialog.kind == DialogKind::Question;
        dialog.channel = if dialog.answerable { Channel::Keys } else { Channel::None };
        dialog
    }

    fn permission(&self, call: &ToolCall) -> Option<Dialog> {
        // A subagent's own calls ask, and stand in another record.
        let asks = !["Agent", "Task"].contains(&call.name.as_str());
        let dialog = asking::dialog(&call.name, &call.input, &[]);
        asks.then(|| self.by_keys(Dialog { id: call.call_id.clone(), ..dialog }))
    }

    fn startup(&self, check: &StartupCheck) -> Option<Dialog> {
        startup::dialog(check)
    }

    fn recipe(
        &self,
        dialog: &Dialog,
        response: &Response,
        version: Option<&str>,
    ) -> Result<DialogRecipe, SeamError> {
        recipes::recipe(dialog, response, version)
    }

    fn sees(&self, screen: &str, dialog: &Dialog, spot: &Spot) -> Seen {
        sight::sees(screen, dialog, spot)
    }

    fn shown(&self, screen: &str, dialog: &Dialog) -> String {
        sight::shown(screen, dialog)
    }
}

#[cfg(test)]
mod tests;
