//! Whatever the records are, pages that are mapped from what the index says are
//! what a reading of the whole gives.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use seamux::providers::claude_code::ClaudeCode;
use seamux::runs::{Keep, Older, Source, View, for_wire};
use seamux::schema::{Message, Position};
use seamux::seam::{AgentProvider, Record};

/// How many messages a page has.
const PAGE: usize = 3;

pub(crate) fn check_file(file: &[u8]) {
    let provider: Arc<dyn AgentProvider> = Arc::new(ClaudeCode::default());
    let mut on_disk = tempfile::tempfile_in("/dev/shm").unwrap();
    on_disk.write_all(file).unwrap();
    let source = source(provider.clone(), on_disk);

    let mut whole = View::new(Keep::records(0..u64::MAX, true));
    let (mut mapper, mut at) = (provider.mapper(), 0);
    for line in file.split_inclusive(|it| *it == b'\n') {
        let bytes = line.strip_suffix(b"\n");
        // Without its end it is not there yet.
        let Some(bytes) = bytes.map(|it| it.strip_suffix(b"\r").unwrap_or(it)) else { break };
        whole.take(mapper.map(Record { at, bytes }));
        at += line.len() as u64;
    }
    let expected: Vec<Message> = whole.into_messages();

    let mut read: Vec<Message> = Vec::new();
    let mut end = Position::new(u64::MAX, 0);
    loop {
        let mut page = source.read(Older::Before { end, want: PAGE }, false).unwrap();
        let has_more = page.len() > PAGE;
        page.drain(..page.len().saturating_sub(PAGE));
        let Some(first) = page.first() else { break };
        end = first.position;
        page.append(&mut read);
        read = page;
        if !has_more {
            break;
        }
    }
    let told = |messages: &[Message]| messages.iter().map(told).collect::<Vec<_>>();
    let short: Vec<Message> = expected.iter().map(for_wire).collect();
    assert_eq!(told(&read), told(&short));
    for message in &expected {
        let alone = source.message(message.position, false).unwrap().unwrap();
        assert_eq!(self::told(&alone), self::told(message));
    }
}

fn source(provider: Arc<dyn AgentProvider>, file: File) -> Source {
    Source::new(provider, "unnamed".into(), Arc::new(file)).unwrap()
}

/// All of it but what a page can't know: what was left behind later, and when
/// it was changed.
fn told(message: &Message) -> String {
    serde_json::to_string(&Message { revision: 0, abandoned: false, ..message.clone() }).unwrap()
}
