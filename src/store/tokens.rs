//! Named tokens, by their hashes.

use rusqlite::{Row, params};

use crate::schema::{TokenInfo, TokenScope};

use super::{Store, StoreError};

/// A token, and what proves that somebody has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    pub info: TokenInfo,
    pub hash: [u8; 32],
    pub cookie_hash: [u8; 32],
}

impl Store {
    pub async fn tokens(&self) -> Result<Vec<TokenRow>, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached("SELECT * FROM tokens ORDER BY created_at, id")?
                .query_and_then([], read)?
                .collect()
        })
        .await
    }

    /// False if there is one of this name already.
    pub async fn add_token(&self, row: TokenRow) -> Result<bool, StoreError> {
        self.with(move |connection| {
            let TokenRow { info, hash, cookie_hash } = row;
            let added = connection
                .prepare_cached(
                    "INSERT INTO tokens (id, name, scope, paired, hash, cookie_hash, created_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (name) DO NOTHING",
                )?
                .execute(params![
                    info.id,
                    info.name,
                    word_for(info.scope),
                    info.paired,
                    hash,
                    cookie_hash,
                    info.created_at,
                ])?;
            Ok(added == 1)
        })
        .await
    }

    pub async fn remove_token(&self, id: String) -> Result<(), StoreError> {
        self.with(move |connection| {
            connection.execute("DELETE FROM tokens WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }

    /// Nobody waits for it: it is worth nothing but a look.
    pub fn token_used(&self, id: String, at: String) {
        self.post(move |connection| {
            connection
                .prepare_cached("UPDATE tokens SET last_used_at = ?2 WHERE id = ?1")?
                .execute([&id, &at])?;
            Ok(())
        });
    }
}

fn read(row: &Row<'_>) -> Result<TokenRow, StoreError> {
    let scope: String = row.get("scope")?;
    Ok(TokenRow {
        info: TokenInfo {
            id: row.get("id")?,
            name: row.get("name")?,
            // What this version does not know may not do more than look.
            scope: if scope == "full" { TokenScope::Full } else { TokenScope::ReadOnly },
            paired: row.get("paired")?,
            created_at: row.get("created_at")?,
            last_used_at: row.get("last_used_at")?,
        },
        hash: row.get("hash")?,
        cookie_hash: row.get("cookie_hash")?,
    })
}

fn word_for(scope: TokenScope) -> &'static str {
    match scope {
        TokenScope::Full => "full",
        TokenScope::ReadOnly => "read_only",
    }
}
