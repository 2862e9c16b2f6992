//! What a person answered, written down before it was handed over.

use rusqlite::params;

use super::{Store, StoreError};

/// One answer to one dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRow {
    /// The id of its receipt.
    pub id: String,
    pub run_id: String,
    pub dialog_id: String,
    /// As JSON, in the form of the API.
    pub answers: String,
    pub by: String,
    pub at: String,
}

impl Store {
    pub async fn save_answer(&self, row: AnswerRow) -> Result<(), StoreError> {
        self.with(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO answers (id, run_id, dialog_id, answers, \"by\", at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![row.id, row.run_id, row.dialog_id, row.answers, row.by, row.at])?;
            Ok(())
        })
        .await
    }
}
