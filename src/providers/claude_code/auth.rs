//! Signing in and out with `claude auth`.
//!
//! Seen on both pinned versions, also without a terminal: the login prints an address and
//! waits for `code#state` on its input. A code without the `#` is refused and asked for
//! again; one that the vendor refuses, or that cannot be sent, ends the process with 1.

use std::path::PathBuf;

use serde::Deserialize;

use crate::seam::{AgentHome, AuthFlow, LoginSeen, SeamError, Standing};

use super::ClaudeCode;
use super::spawn::config_dir;

const LONGEST_CODE: usize = 4096;

/// How the two versions begin to say why a login failed.
const FAILED: &[&str] = &["Login failed:", "Couldn't log in:"];

/// How they say that a code is none.
const REFUSED: &[&str] = &["Invalid code", "look like the full code"];

/// What the vendor did not say, but the way to it.
const NETWORK: &[&str] =
    &["getaddrinfo", "ENOTFOUND", "ECONN", "ETIMEDOUT", "EAI_AGAIN", "EHOSTUNREACH", "certificate"];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    logged_in: bool,
    auth_method: Option<String>,
    email: Option<String>,
    org_name: Option<String>,
}

impl AuthFlow for ClaudeCode {
    fn status(&self) -> &'static [&'static str] {
        &["auth", "status"]
    }

    fn read_status(&self, stdout: &str) -> Result<Standing, SeamError> {
        let status: Status = serde_json::from_str(stdout.trim()).map_err(|_| {
            SeamError::AuthUnknown("its answer is not the one that is known".into())
        })?;
        Ok(Standing {
            logged_in: status.logged_in,
            account: status.email.or(status.org_name),
            method: status.auth_method.filter(|it| it != "none"),
        })
    }

    fn login(&self) -> &'static [&'static str] {
        &["auth", "login"]
    }

    fn read_login(&self, output: &str) -> LoginSeen {
        let text = plain(output);
        let after = |marks: &[&str]| {
            let found = marks.iter().find_map(|it| text.split_once(it));
            found.and_then(|(_, rest)| rest.lines().next()).map(|it| it.trim().to_owned())
        };
        let failed = after(FAILED).map(|words| {
            let never_got_there = NETWORK.iter().any(|it| words.contains(it));
            if never_got_there { SeamError::LoginFailed(words) } else { SeamError::InvalidCode }
        });
        LoginSeen {
            url: url(&text),
            user_code: None,
            refused_code: REFUSED.iter().any(|it| text.contains(it)),
            failed,
        }
    }

    fn code(&self, code: &str) -> Result<Vec<u8>, SeamError> {
        let code = code.trim();
        let is_one_word = !code.contains(|it: char| it.is_whitespace() || it.is_control());
        if code.is_empty() || code.len() > LONGEST_CODE || !is_one_word {
            return Err(SeamError::InvalidCode);
        }
        Ok(format!("{code}\n").into_bytes())
    }

    fn logout(&self) -> &'static [&'static str] {
        &["auth", "logout"]
    }

    fn witnesses(&self, home: &AgentHome) -> Vec<PathBuf> {
        vec![config_dir(home).join(".credentials.json")]
    }
}

/// Without what colours a terminal and moves its cursor.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' if chars.next() == Some('[') => {
                chars.by_ref().find(|it| ('@'..='~').contains(it));
            }
            '\u{1b}' | '\r' => {}
            char => out.push(char),
        }
    }
    out
}

/// The first address that has come to its end. One that was broken at the edge of a
/// terminal goes on in lines that are a piece of it and nothing else.
fn url(text: &str) -> Option<String> {
    let from = &text[text.find("https://")?..];
    let (first, mut rest) = from.split_once('\n')?;
    let (address, behind) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
    let mut url = address.to_owned();
    while behind.trim().is_empty()
        && url.len() >= 80
        && let Some((line, after)) = rest.split_once('\n')
        && !line.is_empty()
        && line.chars().all(|it| it.is_ascii_graphic())
    {
        url.push_str(line);
        rest = after;
    }
    url.chars().all(|it| it.is_ascii_graphic()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(output: &str) -> LoginSeen {
        ClaudeCode::new().read_login(output)
    }

    #[test]
    fn the_address_is_read_as_both_versions_print_it() {
        let long =
            format!("https://claude.com/cai/oauth/authorize?code=true&state={}", "s".repeat(400));
        let old = format!(
            "Opening browser…\nIf the browser didn't open, visit: {long}\nPaste code here if prompted > "
        );
        assert_eq!(seen(&old).url.as_deref(), Some(long.as_str()));
        let new = "If the browser didn't open, visit:\nhttps://claude.ai/oauth/authorize?z-abc\nPaste code here if prompted > ";
        assert_eq!(seen(new).url.as_deref(), Some("https://claude.ai/oauth/authorize?z-abc"));
        // Half an address is none yet.
        assert_eq!(seen("visit: https://claude.com/cai/oauth/auth").url, None);
    }

    #[test]
    fn an_address_that_a_terminal_broke_is_joined() {
        let long = format!("https://claude.com/cai/oauth/authorize?state={}", "s".repeat(200));
        let wrapped = format!(
            "{}\r\n{}\r\n{}\r\nPaste code here > ",
            &long[..80],
            &long[80..160],
            &long[160..]
        );
        assert_eq!(seen(&wrapped).url.as_deref(), Some(long.as_str()));
        let coloured = format!("\u{1b}[36m{long}\u{1b}[39m\nPaste code here > ");
        assert_eq!(seen(&coloured).url.as_deref(), Some(long.as_str()));
    }

    #[test]
    fn what_was_recorded_of_both_versions_is_read() {
        for (login, complaints, statuses) in [
            (
                include_str!("../../../fixtures/claude-code/auth/login-198.txt"),
                include_str!("../../../fixtures/claude-code/auth/complaints-198.txt"),
                include_str!("../../../fixtures/claude-code/auth/status-198.jsonl"),
            ),
            (
                include_str!("../../../fixtures/claude-code/auth/login-332.txt"),
                include_str!("../../../fixtures/claude-code/auth/complaints-332.txt"),
                include_str!("../../../fixtures/claude-code/auth/status-332.jsonl"),
            ),
        ] {
            let url = seen(login).url.expect("an address");
            assert!(url.starts_with("https://claude.") && url.ends_with('x'), "{url}");
            let (no_code, offline) = complaints.split_once('\n').expect("two lines");
            assert!(seen(no_code).refused_code && seen(no_code).failed.is_none());
            assert!(matches!(seen(offline).failed, Some(SeamError::LoginFailed(_))), "{offline}");
            let standing = |line: &str| ClaudeCode::new().read_status(line).expect("a standing");
            let methods: Vec<_> = statuses.lines().map(|it| standing(it).method).collect();
            assert_eq!(methods, [None, Some("api_key".into()), Some("claude.ai".into())]);
            let logged_in: Vec<_> = statuses.lines().map(|it| standing(it).logged_in).collect();
            assert_eq!(logged_in, [false, true, true]);
        }
    }

    #[test]
    fn what_went_wrong_is_told_apart() {
        for words in [
            "Invalid code. Please make sure the full code was copied.\n",
            "That doesn't look like the full code. Copy all of it, including the # in the middle.\n",
        ] {
            assert!(seen(words).refused_code && seen(words).failed.is_none(), "{words}");
        }
        let why = |words: &str| seen(words).failed;
        assert_eq!(
            why("Login failed: getaddrinfo ENOTFOUND platform.claude.com\n"),
            Some(SeamError::LoginFailed("getaddrinfo ENOTFOUND platform.claude.com".into()))
        );
        assert_eq!(
            why("Couldn't log in: Request failed with status code 400\n"),
            Some(SeamError::InvalidCode)
        );
        assert_eq!(seen("Opening browser to sign in…\n"), LoginSeen::default());
    }

    #[test]
    fn a_status_is_read_and_what_is_none_is_unknown() {
        let read = |text: &str| ClaudeCode::new().read_status(text);
        let out = read(r#"{"loggedIn":false,"authMethod":"none","apiProvider":"firstParty"}"#);
        assert_eq!(out, Ok(Standing::default()));
        let text =
            r#"{"loggedIn":true,"authMethod":"claude.ai","email":"me@example.com","orgName":null}"#;
        let standing = read(text).expect("a standing");
        assert_eq!(standing.account.as_deref(), Some("me@example.com"));
        assert_eq!(standing.method.as_deref(), Some("claude.ai"));
        for text in ["", "Error: unknown command", "{}", "[]"] {
            assert!(matches!(read(text), Err(SeamError::AuthUnknown(_))), "{text}");
        }
    }

    #[test]
    fn a_code_is_one_word_on_one_line() {
        let code = |text: &str| ClaudeCode::new().code(text);
        assert_eq!(code(" abc#def \n"), Ok(b"abc#def\n".to_vec()));
        for text in ["", "  ", "two words", "a\nb", "a\u{1b}[A", &"x".repeat(5000)] {
            assert_eq!(code(text), Err(SeamError::InvalidCode), "{text:?}");
        }
    }
}
