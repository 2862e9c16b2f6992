//! Makes a very long line short before it is read: texts that nobody reads to
//! their end are cut. Reading it as it is would take several times its size.

/// Lines up to this length are read as they are.
pub(super) const LONG_LINE: usize = 8 << 20;

/// How much is kept of each text of a longer line.
const LONGEST_TEXT: usize = 1 << 20;

/// And how much once so much of the line is kept.
const SHORT_TEXT: usize = 4 << 10;
const PLENTY: usize = 4 << 20;

/// A line that can't be made shorter than this has no long texts, but countless
/// small values. It has to be read as it is, and can be.
const MOST: usize = 8 << 20;

/// A copy of the line with its long texts cut. Whatever is wrong with the line
/// is wrong with the copy.
pub(super) fn condensed(line: &[u8]) -> Option<Vec<u8>> {
    // Growing it step by step would take twice as much.
    let mut out = Vec::with_capacity(line.len().min(MOST + LONGEST_TEXT));
    let mut rest = line;
    while let Some(quote) = memchr::memchr(b'"', rest) {
        let (before, text) = rest.split_at(quote + 1);
        let length = text_length(text);
        out.extend_from_slice(before);
        let longest = if out.len() < PLENTY { LONGEST_TEXT } else { SHORT_TEXT };
        if length <= longest {
            out.extend_from_slice(&text[..length]);
        } else {
            out.extend_from_slice(&text[..place_to_cut(text, longest)]);
            out.extend_from_slice("…".as_bytes());
        }
        let (closing, after) = text[length..].split_at(1.min(text.len() - length));
        out.extend_from_slice(closing);
        rest = after;
        if out.len() > MOST {
            return None;
        }
    }
    if out.len() + rest.len() > MOST {
        return None;
    }
    out.extend_from_slice(rest);
    Some(out)
}

/// The length of the text whose opening quote is behind us, without the closing
/// one, which may be missing.
fn text_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|it| memchr::memchr2(b'"', b'\\', it)) {
        if text[at + found] == b'"' {
            return at + found;
        }
        at += found + 2;
    }
    text.len()
}

/// The last place up to `longest` where no escape and no character is cut apart.
fn place_to_cut(text: &[u8], longest: usize) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &text[at..longest]) {
        let end = at + found + escape_length(&text[at + found..]);
        if end > longest {
            return at + found;
        }
        at = end;
    }
    let is_inside = |it: &usize| text.get(*it).is_some_and(|byte| byte & 0xc0 == 0x80);
    (at..=longest).rev().find(|it| !is_inside(it)).unwrap_or(at)
}

/// Two halves of a surrogate pair belong together.
fn escape_length(escape: &[u8]) -> usize {
    match escape {
        [
            b'\\',
            b'u',
            b'd' | b'D',
            b'8' | b'9' | b'a' | b'b' | b'A' | b'B',
            _,
            _,
            b'\\',
            b'u',
            ..,
        ] => 12,
        [b'\\', b'u', ..] => 6,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_text_is_cut_between_its_characters() {
        let text = "aé😀\"\\\n\u{1}😀😀é\\\\n";
        let raw = serde_json::to_string(text).expect("JSON");
        let escaped = raw.replace('😀', "\\uD83d\\uDe00").replace('é', "\\u00e9");
        for raw in [raw, escaped] {
            let inner = &raw.as_bytes()[1..];
            for longest in 0..inner.len() {
                let cut = place_to_cut(inner, longest);
                let kept = format!("\"{}\"", str::from_utf8(&inner[..cut]).expect("characters"));
                let kept: String = serde_json::from_str(&kept).expect("a text");
                assert!(text.starts_with(&kept), "{kept:?} of {longest}");
                assert!(cut <= longest && longest - cut < 12, "{cut} of {longest}");
            }
        }
    }

    #[test]
    fn a_long_text_is_cut_and_all_else_stays() {
        let text = "é\n".repeat(LONGEST_TEXT);
        let line = json!({"a": text, "b": ["c", 1]}).to_string();
        let short = condensed(line.as_bytes()).expect("shorter");
        assert!((LONGEST_TEXT - 12..LONGEST_TEXT + 100).contains(&short.len()));
        let value: Value = serde_json::from_slice(&short).expect("a record");
        let kept = value["a"].as_str().and_then(|it| it.strip_suffix('…'));
        assert!(text.starts_with(kept.expect("a mark")));
        assert_eq!(value["b"], json!(["c", 1]));
    }

    #[test]
    fn what_was_wrong_stays_wrong() {
        let open = format!("{{\"a\":\"{}\\", "x".repeat(LONGEST_TEXT));
        let short = condensed(open.as_bytes()).expect("shorter");
        assert!(serde_json::from_slice::<Value>(&short).is_err());
        assert_eq!(condensed(b"{\"a\":nope"), Some(b"{\"a\":nope".to_vec()));
    }

    #[test]
    fn many_texts_are_cut_shorter_and_countless_small_ones_are_left_alone() {
        let texts = |count: usize, size: usize| json!(vec!["x".repeat(size); count]).to_string();
        let short = condensed(texts(10, LONGEST_TEXT).as_bytes()).expect("shorter");
        let value: Value = serde_json::from_slice(&short).expect("a record");
        assert_eq!(value.as_array().map(Vec::len), Some(10));
        assert_eq!(condensed(texts(MOST / 4, 2).as_bytes()), None);
        assert_eq!(condensed(&vec![b'1'; MOST + 1]), None);
    }
}
