//! Named tokens: who may call beside the owner, how much, and since when not.
//!
//! They are few and asked for by each request, so they are held here; the
//! database has them for the next start. A secret is known by its hash alone.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio_util::sync::CancellationToken;

use crate::schema::{TokenInfo, TokenScope};
use crate::store::{Store, StoreError, TokenRow};

use super::now;
use super::pairing::Pairing;

/// A use is written down at most this often.
const USE_EVERY: Duration = Duration::from_secs(60);

const LONGEST_NAME: usize = 60;

/// What the audit calls the owner, and a person at the terminal.
const RESERVED: &[&str] = &["token", "browser", "terminal"];

pub fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// What a browser's cookie holds for a token. Derived, so that a browser stays
/// signed in over a restart; worth nothing to anyone who wants the token.
pub fn cookie_of(secret: &str) -> String {
    hex(&Sha256::new().chain_update("seamux browser session\n").chain_update(secret).finalize())
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error(
        "a name has 1 to {LONGEST_NAME} characters, and no line ends or other control characters"
    )]
    BadName,
    #[error("`{0}` is what the audit calls somebody else")]
    ReservedName(String),
    #[error("there is a token called `{0}` already")]
    NameTaken(String),
    #[error("there is no token {0}")]
    NotFound(String),
    #[error("the system gave no random numbers")]
    NoRandomness,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One token that opens something, now.
pub struct NamedToken {
    info: TokenInfo,
    hash: [u8; 32],
    cookie_hash: [u8; 32],
    used: Mutex<Used>,
    revoked: CancellationToken,
}

struct Used {
    at: Option<String>,
    written: Option<Instant>,
}

impl NamedToken {
    fn new(row: TokenRow) -> Self {
        let used = Mutex::new(Used { at: row.info.last_used_at.clone(), written: None });
        let TokenRow { info, hash, cookie_hash } = row;
        Self { info, hash, cookie_hash, used, revoked: CancellationToken::new() }
    }

    pub fn name(&self) -> &str {
        &self.info.name
    }

    pub fn is_read_only(&self) -> bool {
        self.info.scope == TokenScope::ReadOnly
    }

    /// Ends when the token does.
    pub fn revoked(&self) -> &CancellationToken {
        &self.revoked
    }

    fn info(&self) -> TokenInfo {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        TokenInfo { last_used_at: used.at.clone(), ..self.info.clone() }
    }
}

/// All of them.
pub struct Tokens {
    store: Store,
    known: Mutex<Vec<Arc<NamedToken>>>,
    pub pairing: Pairing,
}

impl Tokens {
    pub(super) async fn load(store: Store) -> Result<Self, StoreError> {
        let known = store.tokens().await?.into_iter().map(NamedToken::new).map(Arc::new);
        Ok(Self { known: Mutex::new(known.collect()), store, pairing: Pairing::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<NamedToken>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name as it would be kept.
    pub fn checked_name(&self, name: &str) -> Result<String, TokenError> {
        checked(name)
    }

    /// Oldest first.
    pub fn list(&self) -> Vec<TokenInfo> {
        self.lock().iter().map(|it| it.info()).collect()
    }

    pub fn by_secret(&self, secret: &str) -> Option<Arc<NamedToken>> {
        self.find(|it| &it.hash, &digest(secret))
    }

    pub fn by_cookie(&self, cookie: &str) -> Option<Arc<NamedToken>> {
        self.find(|it| &it.cookie_hash, &digest(cookie))
    }

    /// Looks at all of them, so that the time tells nothing.
    fn find(
        &self,
        part: impl Fn(&NamedToken) -> &[u8; 32],
        given: &[u8; 32],
    ) -> Option<Arc<NamedToken>> {
        let mut found = None;
        for token in self.lock().iter() {
            if bool::from(part(token).ct_eq(given)) {
                found = Some(token.clone());
            }
        }
        found.inspect(|token| self.note_use(token))
    }

    fn note_use(&self, token: &NamedToken) {
        let mut used = token.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.written.is_none_or(|it| it.elapsed() >= USE_EVERY) {
            let at = now();
            self.store.token_used(token.info.id.clone(), at.clone());
            *used = Used { at: Some(at), written: Some(Instant::now()) };
        }
    }

    /// Makes a token. Its secret is told this once.
    pub async fn add(
        &self,
        name: &str,
        scope: TokenScope,
        paired: bool,
    ) -> Result<(TokenInfo, String), TokenError> {
        let name = checked(name)?;
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|_| TokenError::NoRandomness)?;
        let secret = hex(&secret);
        let row = TokenRow {
            info: TokenInfo {
                id: uuid::Uuid::now_v7().simple().to_string(),
                name: name.clone(),
                scope,
                paired,
                created_at: now(),
                last_used_at: None,
            },
            hash: digest(&secret),
            cookie_hash: digest(&cookie_of(&secret)),
        };
        if !self.store.add_token(row.clone()).await? {
            return Err(TokenError::NameTaken(name));
        }
        let info = row.info.clone();
        self.lock().push(Arc::new(NamedToken::new(row)));
        Ok((info, secret))
    }

    /// Makes a token for a device. If its name is taken, it gets a number.
    pub async fn add_device(
        &self,
        name: &str,
        scope: TokenScope,
    ) -> Result<(TokenInfo, String), TokenError> {
        let mut wanted = name.to_owned();
        for number in 2.. {
            match self.add(&wanted, scope, true).await {
                Err(TokenError::NameTaken(_)) => wanted = format!("{name} {number}"),
                made => return made,
            }
        }
        Err(TokenError::NameTaken(wanted))
    }

    /// It opens nothing any more, and what it opened is closed.
    pub async fn revoke(&self, id: &str) -> Result<(), TokenError> {
        let revoked = {
            let mut known = self.lock();
            let place = known.iter().position(|it| it.info.id == id);
            known.remove(place.ok_or_else(|| TokenError::NotFound(id.into()))?)
        };
        revoked.revoked.cancel();
        Ok(self.store.remove_token(id.into()).await?)
    }
}

pub(super) fn checked(name: &str) -> Result<String, TokenError> {
    let name = name.trim();
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    if !fits || name.chars().any(char::is_control) {
        return Err(TokenError::BadName);
    }
    if RESERVED.contains(&name.to_lowercase().as_str()) {
        return Err(TokenError::ReservedName(name.into()));
    }
    Ok(name.to_owned())
}
