//! Receipts, and the replies that are on their way.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::schema::{Receipt, ReceiptKind, ReceiptStatus, SendWhen};

use super::{AnswerRow, Store, StoreError};

/// Receipts that a run still shows after a restart.
const SHOWN: usize = 100;

/// A reply that is on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyRow {
    /// The id of its receipt.
    pub id: String,
    pub when: SendWhen,
    pub force: bool,
    /// The conversation that it is meant for.
    pub epoch: Option<String>,
    pub phase: Phase,
    /// The process that it is meant for.
    pub process: String,
    /// Its record stands behind this one: an epoch and a position in it.
    pub after: Option<String>,
}

/// How far a reply has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Held,
    /// Its keys are being pressed; some may have been.
    Typing,
    /// All its keys were pressed.
    Typed,
}

/// What a run left unfinished in another life of ours.
#[derive(Debug, Default)]
pub struct Unfinished {
    /// In the order in which they go out.
    pub replies: Vec<(Receipt, String, ReplyRow)>,
    /// Answers that were handed over and not proven.
    pub answers: Vec<(Receipt, AnswerRow)>,
    /// The newest receipts, oldest first, also finished ones.
    pub receipts: Vec<Receipt>,
}

/// One line of the audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    pub receipt: Receipt,
    /// The words of a reply that the CLI did not record.
    pub text: Option<String>,
    /// Of an answer: what was chosen, and the dialog, both as JSON.
    pub answers: Option<(String, String)>,
}

impl Store {
    /// Takes a new reply into the books.
    pub async fn hold_reply(
        &self,
        run: String,
        receipt: Receipt,
        text: String,
        row: ReplyRow,
    ) -> Result<(), StoreError> {
        self.with(move |connection| {
            let transaction = connection.transaction()?;
            save_receipt(&transaction, &run, &receipt)?;
            set_text(&transaction, &receipt.id, &text)?;
            save_reply(&transaction, &run, i64::MAX, &row)?;
            transaction.commit()?;
            Ok(())
        })
        .await
    }

    /// The held replies of a run as they are now, in their order.
    pub async fn save_queue(
        &self,
        run: String,
        rows: Vec<(ReplyRow, String)>,
    ) -> Result<(), StoreError> {
        self.with(move |connection| {
            let transaction = connection.transaction()?;
            transaction
                .prepare_cached("DELETE FROM replies WHERE run_id = ?1 AND phase = 'held'")?
                .execute([&run])?;
            for (place, (row, text)) in rows.iter().enumerate() {
                set_text(&transaction, &row.id, text)?;
                save_reply(&transaction, &run, place as i64, row)?;
            }
            transaction.commit()?;
            Ok(())
        })
        .await
    }

    /// A reply gets on. Waits until it is written down.
    pub async fn save_reply(&self, run: String, row: ReplyRow) -> Result<(), StoreError> {
        self.with(move |connection| save_reply(connection, &run, 0, &row)).await
    }

    /// All keys of a reply were pressed.
    pub fn note_typed(&self, id: String) {
        self.post(move |connection| {
            connection
                .prepare_cached("UPDATE replies SET phase = 'typed' WHERE id = ?1")?
                .execute([&id])?;
            Ok(())
        });
    }

    /// Writes down what receipts say now. What is proven or over is not on its
    /// way any more, and the words that the CLI recorded are not kept here.
    pub fn note_receipts(&self, run: String, receipts: Vec<Receipt>) {
        self.post(move |connection| {
            let transaction = connection.transaction()?;
            for receipt in &receipts {
                save_receipt(&transaction, &run, receipt)?;
                if receipt.status.is_final() {
                    transaction
                        .prepare_cached("DELETE FROM replies WHERE id = ?1")?
                        .execute([&receipt.id])?;
                }
                if receipt.status == ReceiptStatus::Recorded {
                    transaction
                        .prepare_cached("UPDATE receipts SET text = NULL WHERE id = ?1")?
                        .execute([&receipt.id])?;
                }
            }
            transaction.commit()?;
            Ok(())
        });
    }

    pub async fn receipt(&self, run: String, id: String) -> Result<Option<Receipt>, StoreError> {
        self.with(move |connection| {
            let json: Option<String> = connection
                .prepare_cached("SELECT receipt FROM receipts WHERE run_id = ?1 AND id = ?2")?
                .query_row([run, id], |row| row.get(0))
                .optional()?;
            Ok(json.as_deref().map(serde_json::from_str).transpose()?)
        })
        .await
    }

    /// The receipt of what this sender sent under this id.
    pub async fn receipt_of(
        &self,
        run: String,
        client_id: String,
    ) -> Result<Option<Receipt>, StoreError> {
        self.with(move |connection| {
            let json: Option<String> = connection
                .prepare_cached(
                    "SELECT receipt FROM receipts WHERE run_id = ?1 AND client_id = ?2",
                )?
                .query_row([run, client_id], |row| row.get(0))
                .optional()?;
            Ok(json.as_deref().map(serde_json::from_str).transpose()?)
        })
        .await
    }

    pub async fn unfinished(&self, run: String) -> Result<Unfinished, StoreError> {
        self.with(move |connection| {
            let replies = connection
                .prepare_cached(
                    "SELECT replies.*, receipt, text FROM replies JOIN receipts USING (id)
                     WHERE replies.run_id = ?1 ORDER BY phase = 'held', place, replies.rowid",
                )?
                .query_and_then([&run], |row| {
                    let text: Option<String> = row.get("text")?;
                    Ok((read_receipt(row)?, text.unwrap_or_default(), read_reply(row)?))
                })?
                .collect::<Result<_, StoreError>>()?;
            let answers = connection
                .prepare_cached(
                    "SELECT answers.*, receipt FROM answers JOIN receipts USING (id)
                     WHERE answers.run_id = ?1 AND is_final = 0 ORDER BY answers.rowid",
                )?
                .query_and_then([&run], |row| Ok((read_receipt(row)?, AnswerRow::read(row)?)))?
                .collect::<Result<_, StoreError>>()?;
            let mut receipts: Vec<Receipt> = connection
                .prepare_cached(
                    "SELECT receipt FROM receipts WHERE run_id = ?1 ORDER BY rowid DESC LIMIT ?2",
                )?
                .query_and_then(params![run, SHOWN as i64], read_receipt)?
                .collect::<Result<_, StoreError>>()?;
            receipts.reverse();
            Ok(Unfinished { replies, answers, receipts })
        })
        .await
    }

    /// Everything that was sent to a run, oldest first.
    pub async fn audit(&self, run: String) -> Result<Vec<AuditRow>, StoreError> {
        self.with(move |connection| {
            connection
                .prepare_cached(
                    "SELECT receipt, text, answers, dialog FROM receipts LEFT JOIN answers USING (id)
                     WHERE receipts.run_id = ?1 ORDER BY receipts.rowid",
                )?
                .query_and_then([run], |row| {
                    let receipt = read_receipt(row)?;
                    let answers: Option<String> = row.get("answers")?;
                    let dialog: Option<String> = row.get("dialog")?;
                    let text: Option<String> = row.get("text")?;
                    Ok(AuditRow {
                        text: text.filter(|_| receipt.kind == ReceiptKind::Reply),
                        answers: answers.map(|it| (it, dialog.unwrap_or_default())),
                        receipt,
                    })
                })?
                .collect()
        })
        .await
    }
}

pub(super) fn save_receipt(
    connection: &Connection,
    run: &str,
    receipt: &Receipt,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO receipts (id, run_id, at, client_id, is_final, receipt)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (id) DO UPDATE SET is_final = excluded.is_final, receipt = excluded.receipt",
        )?
        .execute(params![
            receipt.id,
            run,
            receipt.at,
            receipt.client_id,
            receipt.status.is_final(),
            serde_json::to_string(receipt)?,
        ])?;
    Ok(())
}

fn set_text(connection: &Connection, receipt: &str, text: &str) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE receipts SET text = ?2 WHERE id = ?1")?
        .execute([receipt, text])?;
    Ok(())
}

fn save_reply(
    connection: &Connection,
    run: &str,
    place: i64,
    row: &ReplyRow,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO replies (id, run_id, place, send_when, force, epoch, phase, process, after)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (id) DO UPDATE SET place = excluded.place, send_when = excluded.send_when,
                 force = excluded.force, epoch = excluded.epoch, phase = excluded.phase,
                 process = excluded.process, after = excluded.after",
        )?
        .execute(params![
            row.id,
            run,
            place,
            match row.when {
                SendWhen::Now => "now",
                SendWhen::AfterTurn => "after_turn",
            },
            row.force,
            row.epoch,
            match row.phase {
                Phase::Held => "held",
                Phase::Typing => "typing",
                Phase::Typed => "typed",
            },
            row.process,
            row.after,
        ])?;
    Ok(())
}

fn read_reply(row: &Row<'_>) -> Result<ReplyRow, StoreError> {
    let when: String = row.get("send_when")?;
    let phase: String = row.get("phase")?;
    Ok(ReplyRow {
        id: row.get("id")?,
        when: if when == "after_turn" { SendWhen::AfterTurn } else { SendWhen::Now },
        force: row.get("force")?,
        epoch: row.get("epoch")?,
        phase: match phase.as_str() {
            "held" => Phase::Held,
            "typing" => Phase::Typing,
            _ => Phase::Typed,
        },
        process: row.get("process")?,
        after: row.get("after")?,
    })
}

fn read_receipt(row: &Row<'_>) -> Result<Receipt, StoreError> {
    let json: String = row.get("receipt")?;
    Ok(serde_json::from_str(&json)?)
}
