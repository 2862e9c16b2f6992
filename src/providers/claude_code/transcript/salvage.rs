//! The most that can be had from a line, good or bad.
//!
//! A good line costs one parse. A bad one goes down a ladder: bytes that can't
//! stand in JSON are replaced, records glued into one line are taken apart,
//! doubled keys are settled, and what is still not a record is handed back as it
//! is. Nothing is dropped, and nothing is lost but the bad record itself.
//!
//! A very long line is made short first, so it costs little more than itself.

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Deserializer, Value};

use super::condense::{LONG_LINE, condensed};
use super::record::Native;

/// Longer texts are never made into a `Value`: it takes many times their size.
pub(super) const VALUE_LIMIT: usize = 1 << 20;

/// How many places are tried when a record begins inside a cut one.
const RESTARTS: usize = 64;

/// What stands in a line: a record and its text, or a text that is no record.
pub(super) type Found<'r, 'a> = Result<(&'r Native<'a>, &'a [u8]), &'a [u8]>;

/// Calls `take` for everything in the line, in order.
pub(super) fn for_each_object(line: &[u8], mut take: impl FnMut(Found<'_, '_>)) {
    let line = trim(line);
    if line.len() <= LONG_LINE {
        short_line(line, &mut take);
    } else if let Some(short) = condensed(line) {
        short_line(&short, &mut take);
    } else {
        // Copies of it to work on would cost more than it is worth.
        let native = serde_json::from_slice::<Native<'_>>(line);
        take(native.as_ref().map(|it| (it, line)).map_err(|_| line));
    }
}

fn short_line(line: &[u8], take: &mut impl FnMut(Found<'_, '_>)) {
    if line.is_empty() {
        return;
    }
    // Checked as a whole it costs a tenth of what the parser's own checks cost.
    let text = simdutf8::basic::from_utf8(line);
    if let Ok(text) = text
        && let Ok(native) = serde_json::from_str::<Native<'_>>(text)
    {
        take(Ok((&native, line)));
        return;
    }
    let text = text.map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed);
    let text = repair(&text);
    if let Ok(native) = serde_json::from_str::<Native<'_>>(&text) {
        take(Ok((&native, text.as_bytes())));
        return;
    }
    let mut stream = Deserializer::from_str(&text).into_iter::<&RawValue>();
    loop {
        let start = stream.byte_offset();
        match stream.next() {
            Some(Ok(object)) => one(object.get(), take),
            Some(Err(_)) => {
                rest(text.get(start..).unwrap_or(&text), take);
                return;
            }
            None => return,
        }
    }
}

/// One whole JSON text.
fn one(text: &str, take: &mut impl FnMut(Found<'_, '_>)) {
    if let Ok(native) = serde_json::from_str::<Native<'_>>(text) {
        take(Ok((&native, text.as_bytes())));
        return;
    }
    // A doubled key: the last one counts, as it does for the CLI.
    if text.len() <= VALUE_LIMIT
        && let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(text)
    {
        let settled = value.to_string();
        if let Ok(native) = serde_json::from_str::<Native<'_>>(&settled) {
            take(Ok((&native, settled.as_bytes())));
            return;
        }
    }
    take(Err(text.as_bytes()));
}

/// A text that stops making sense. A writer that died in the middle of a line
/// leaves its half before the next whole record.
fn rest(text: &str, take: &mut impl FnMut(Found<'_, '_>)) {
    let starts = text.match_indices("{\"").skip(1).take(RESTARTS);
    for (start, _) in starts {
        let (cut, whole) = text.split_at(start);
        if let Ok(native) = serde_json::from_str::<Native<'_>>(whole)
            && native.kind.text().is_some()
        {
            take(Err(cut.as_bytes()));
            take(Ok((&native, whole.as_bytes())));
            return;
        }
    }
    take(Err(text.as_bytes()));
}

/// Without white space, byte order marks, and the zeros that a crash leaves.
fn trim(mut line: &[u8]) -> &[u8] {
    loop {
        let before = line.len();
        line = line.trim_ascii();
        line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        while let [0, rest @ ..] | [rest @ .., 0] = line {
            line = rest;
        }
        if line.len() == before {
            return line;
        }
    }
}

/// Replaces what JSON does not allow: raw control characters, and escapes of half
/// a surrogate pair, which cutting a text by length leaves behind.
pub(super) fn repair(text: &str) -> Cow<'_, str> {
    // A long line that was cut is no record any more, but its text is in order,
    // and a copy of it would cost as much as itself.
    let bytes = text.as_bytes();
    if !bytes.iter().any(|it| *it < b' ') && memchr::memmem::find(bytes, b"\\u").is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        if next.is_ascii_control() && next != '\u{7f}' {
            out.push(' ');
        } else if next != '\\' {
            out.push(next);
        } else if let Some(unit) = escaped_unit(rest) {
            taken = 6;
            match unit {
                0xd800..=0xdbff => match rest.get(6..).and_then(escaped_unit) {
                    Some(0xdc00..=0xdfff) => {
                        taken = 12;
                        out.push_str(&rest[..12]);
                    }
                    _ => out.push_str("\\ufffd"),
                },
                0xdc00..=0xdfff => out.push_str("\\ufffd"),
                _ => out.push_str(&rest[..6]),
            }
        } else {
            // An escaped backslash must not be taken for the start of an escape.
            taken = rest.chars().take(2).map(char::len_utf8).sum();
            out.extend(rest[..taken].chars().map(|it| if it < ' ' { ' ' } else { it }));
        }
        rest = &rest[taken..];
    }
    Cow::Owned(out)
}

/// The number in a `\uXXXX` at the beginning of `text`.
fn escaped_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|it| it.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &[u8]) -> Vec<String> {
        let mut told = Vec::new();
        for_each_object(line, |object| {
            told.push(match object {
                Ok((native, _)) => native.kind.text().unwrap_or("?").to_owned(),
                Err(rest) => format!("bad {}", rest.len()),
            });
        });
        told
    }

    #[test]
    fn whole_pairs_and_escaped_backslashes_survive_a_repair() {
        let text = r#"{"a":"\ud83d\ude00 \\ud83d \ud83d"}"#;
        assert_eq!(repair(text), r#"{"a":"\ud83d\ude00 \\ud83d \ufffd"}"#);
    }

    #[test]
    fn zeros_and_a_mark_before_a_line_are_skipped() {
        assert_eq!(told(b"\0\0\xef\xbb\xbf{\"type\":\"mode\"}\r"), ["mode"]);
        assert_eq!(told(b"\0\0\0"), [""; 0]);
    }

    #[test]
    fn glued_records_come_apart() {
        assert_eq!(told(br#"{"type":"a"}{"type":"b"}{"ty"#), ["a", "b", "bad 4"]);
    }

    #[test]
    fn a_whole_record_behind_a_half_one_is_found() {
        assert_eq!(
            told(br#"{"type":"user","message":{"type":"x{"type":"b","c":{"type":"d"}}"#),
            ["bad 35", "b"]
        );
    }

    #[test]
    fn the_last_of_a_doubled_key_counts() {
        assert_eq!(told(br#"{"type":"a","type":"b"}"#), ["b"]);
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = "[".repeat(200_000);
        assert_eq!(told(deep.as_bytes()), ["bad 200000"]);
        let inside = format!("{{\"type\":\"mode\",\"x\":{deep}{}}}", "]".repeat(200_000));
        assert_eq!(told(inside.as_bytes()), ["mode"]);
    }
}
