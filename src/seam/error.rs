//! What can go wrong at the seam.

/// A provider says no, in words that a person can read.
///
/// Messages have no capital and no full stop, so that they read well after
/// "could not send: ".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeamError {
    #[error("the code was not accepted")]
    InvalidCode,
    #[error("the login did not finish in time")]
    LoginTimeout,
    #[error("this login takes no code")]
    CodeUnsupported,
    /// It gave up for another reason than the code.
    #[error("the login failed: {0}")]
    LoginFailed(String),
    #[error("the CLI did not tell whether it is signed in: {0}")]
    AuthUnknown(String),
    #[error("this dialog can only be answered in the terminal")]
    NotAnswerable,
    #[error("the transcript is gone")]
    TranscriptGone,
    #[error("the agent drops input while it works")]
    Busy,
    #[error("{0}")]
    Refused(String),
    #[error("the message is empty")]
    Empty,
    /// What to do instead is part of it.
    #[error("{0}")]
    TooLong(String),
    /// One field of a spawn spec or an answer is not valid.
    #[error("{detail}")]
    Invalid { field: &'static str, detail: String },
}

/// Whose move it is. HTTP status, exit code and log level follow from this alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The request cannot work as it stands.
    Caller,
    /// The world moved on while the request was under way.
    Race,
    /// Something under us broke.
    System,
}

impl SeamError {
    pub fn blame(&self) -> Blame {
        match self {
            Self::InvalidCode | Self::Empty | Self::TooLong(_) | Self::Invalid { .. } => {
                Blame::Caller
            }
            Self::NotAnswerable | Self::Busy | Self::Refused(_) | Self::CodeUnsupported => {
                Blame::Race
            }
            Self::LoginTimeout
            | Self::LoginFailed(_)
            | Self::AuthUnknown(_)
            | Self::TranscriptGone => Blame::System,
        }
    }
}
