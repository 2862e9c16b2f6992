//! What a person answered, written down before it was handed over.

use rusqlite::{Row, params};

use crate::schema::Receipt;

use super::receipts::save_receipt;
use super::{Store, StoreError};

/// One answer to one dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRow {
    /// The id of its receipt.
    pub id: String,
    pub run_id: String,
    pub dialog_id: String,
    /// What was said, as the JSON of a `Response`: a list of answers, or an object.
    pub answers: String,
    /// The dialog as it was then, in the same form.
    pub dialog: String,
    pub by: String,
    pub at: String,
}

impl AnswerRow {
    pub(super) fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.get("id")?,
            run_id: row.get("run_id")?,
            dialog_id: row.get("dialog_id")?,
            answers: row.get("answers")?,
            dialog: row.get("dialog")?,
            by: row.get("by")?,
            at: row.get("at")?,
        })
    }
}

impl Store {
    /// Together with its receipt, so that neither is there without the other.
    pub async fn save_answer(&self, row: AnswerRow, receipt: Receipt) -> Result<(), StoreError> {
        self.with(move |connection| {
            let transaction = connection.transaction()?;
            save_receipt(&transaction, &row.run_id, &receipt)?;
            transaction
                .prepare_cached(
                    "INSERT INTO answers (id, run_id, dialog_id, answers, dialog, \"by\", at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![
                    row.id,
                    row.run_id,
                    row.dialog_id,
                    row.answers,
                    row.dialog,
                    row.by,
                    row.at
                ])?;
            transaction.commit()?;
            Ok(())
        })
        .await
    }
}
