//! Pairing: a code that a person can type on another device, once and soon.
//!
//! A code is short, so it lives shortly, and only a few can be tried in a minute.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use subtle::ConstantTimeEq;

use crate::schema::TokenScope;

use super::rfc3339;
use super::tokens::{TokenError, checked, digest};

const LIFE: Duration = Duration::from_secs(5 * 60);
const MINUTE: Duration = Duration::from_secs(60);

/// Of each, in one minute: codes that are made, and wrong ones that are tried.
const MOST_PER_MINUTE: usize = 10;

/// No 0 and O, 1, I and L, or U: they are read aloud and typed on a phone.
const LETTERS: &[u8; 30] = b"ABCDEFGHJKMNPQRSTVWXYZ23456789";
const LENGTH: usize = 8;

#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    #[error("that was too often in a short time")]
    TooOften { retry_after: Duration },
    #[error("this code is wrong, was used before, or is too old")]
    WrongCode,
    #[error(transparent)]
    Token(#[from] TokenError),
}

/// What the owner offers to who has the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub name: Option<String>,
    pub scope: TokenScope,
}

#[derive(Default)]
pub struct Pairing(Mutex<Book>);

#[derive(Default)]
struct Book {
    codes: Vec<(Instant, [u8; 32], Offer)>,
    made: Window,
    wrong: Window,
}

impl Pairing {
    /// A new code, and until when it is good.
    pub fn offer(&self, offer: Offer) -> Result<(String, String), PairingError> {
        let name = offer.name.as_deref().map(checked).transpose()?;
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        book.made.check(now)?;
        book.made.0.push_back(now);
        book.codes.retain(|(end, ..)| *end > now);
        let code = new_code()?;
        book.codes.push((now + LIFE, digest(&code), Offer { name, ..offer }));
        let (first, last) = code.split_at(LENGTH / 2);
        Ok((format!("{first}-{last}"), rfc3339(SystemTime::now() + LIFE)))
    }

    /// What a code is good for. It is spent.
    pub fn redeem(&self, code: &str) -> Result<Offer, PairingError> {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        book.wrong.check(now)?;
        book.codes.retain(|(end, ..)| *end > now);
        let typed = code.chars().filter(|it| it.is_ascii_alphanumeric());
        let given = digest(&typed.map(|it| it.to_ascii_uppercase()).collect::<String>());
        let mut found = None;
        for (place, (_, hash, _)) in book.codes.iter().enumerate() {
            if bool::from(hash.ct_eq(&given)) {
                found = Some(place);
            }
        }
        match found {
            Some(place) => Ok(book.codes.swap_remove(place).2),
            None => {
                book.wrong.0.push_back(now);
                Err(PairingError::WrongCode)
            }
        }
    }
}

/// When something happened in the last minute.
#[derive(Default)]
struct Window(VecDeque<Instant>);

impl Window {
    fn check(&mut self, now: Instant) -> Result<(), PairingError> {
        while self.0.front().is_some_and(|it| now.duration_since(*it) >= MINUTE) {
            self.0.pop_front();
        }
        match self.0.front() {
            Some(first) if self.0.len() >= MOST_PER_MINUTE => {
                Err(PairingError::TooOften { retry_after: MINUTE - now.duration_since(*first) })
            }
            _ => Ok(()),
        }
    }
}

fn new_code() -> Result<String, TokenError> {
    let mut code = String::new();
    while code.len() < LENGTH {
        let mut random = [0; 1];
        getrandom::fill(&mut random).map_err(|_| TokenError::NoRandomness)?;
        // 240 is a multiple of 30: every letter is as likely as any other.
        if random[0] < 240 {
            code.push(LETTERS[usize::from(random[0] % 30)].into());
        }
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer() -> Offer {
        Offer { name: Some("phone".into()), scope: TokenScope::ReadOnly }
    }

    #[test]
    fn a_code_is_good_once_however_it_is_typed() {
        let pairing = Pairing::default();
        let (code, _) = pairing.offer(offer()).expect("a code");
        let typed = code.to_lowercase().replace('-', " ");
        assert_eq!(pairing.redeem(&typed).expect("it is right"), offer());
        assert!(matches!(pairing.redeem(&code), Err(PairingError::WrongCode)));
    }

    #[test]
    fn after_ten_wrong_ones_even_the_right_one_has_to_wait() {
        let pairing = Pairing::default();
        let (code, _) = pairing.offer(offer()).expect("a code");
        for _ in 0..MOST_PER_MINUTE {
            assert!(matches!(pairing.redeem("AAAA-AAAA"), Err(PairingError::WrongCode)));
        }
        assert!(matches!(pairing.redeem(&code), Err(PairingError::TooOften { .. })));
    }
}
