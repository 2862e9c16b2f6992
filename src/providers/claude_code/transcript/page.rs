//! What one line of a transcript yields, while it is being read.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::schema::{Attachment, LifecycleEvent, Message, MessageKind, Position, Role};
use crate::seam::{Fact, Mapped, PromptMark};

use super::record::Native;
use super::salvage::VALUE_LIMIT;

/// How much of a record that nobody understands is shown.
const PREVIEW: usize = 200;

/// How much is kept of what only the model was meant to read.
const LONGEST_HIDDEN: usize = 4 * 1024;

/// Collects messages and facts, and gives each message its place.
pub(super) struct Page<'a> {
    at: u64,
    base: u32,
    next: u32,
    time: Option<String>,
    /// The subagent that is speaking.
    agent: Option<String>,
    text: &'a [u8],
    /// What goes with the next words of a person.
    attachments: Vec<Attachment>,
    mode: Option<String>,
    mapped: &'a mut Mapped,
}

impl<'a> Page<'a> {
    /// `base` is where the blocks before this object end, when a line holds several.
    pub(super) fn open(
        at: u64,
        base: u32,
        native: &Native<'_>,
        text: &'a [u8],
        mapped: &'a mut Mapped,
    ) -> Self {
        let aside = native.is_sidechain.is_true();
        Self {
            at,
            base,
            next: base,
            time: native.timestamp.words().map(str::to_owned),
            agent: aside.then(|| native.agent_id.words().unwrap_or("subagent").to_owned()),
            text,
            attachments: Vec::new(),
            mode: None,
            mapped,
        }
    }

    /// Where the blocks of this object end.
    pub(super) fn end(&self) -> u32 {
        self.next
    }

    pub(super) fn time(&self) -> Option<String> {
        self.time.clone()
    }

    pub(super) fn place(&self, block: u32) -> Position {
        Position::new(self.at, self.base.saturating_add(block))
    }

    /// What is read are the subagent's own records: nobody else speaks in them.
    pub(super) fn take_the_floor(&mut self) {
        self.agent = None;
    }

    /// A subagent's words: they belong to the view, but say nothing about the run.
    pub(super) fn is_aside(&self) -> bool {
        self.agent.is_some()
    }

    /// Too large to be taken apart without need.
    pub(super) fn is_huge(&self) -> bool {
        self.text.len() > VALUE_LIMIT
    }

    pub(super) fn say(&mut self, message: Message) {
        self.next = self.next.max(message.position.block.saturating_add(1));
        self.mapped.messages.push(Message {
            time: self.time.clone(),
            agent: self.agent.clone(),
            ..message
        });
    }

    pub(super) fn user(&mut self, block: u32, text: impl Into<String>) {
        let text = Some(text.into());
        self.say_as_person(Message { text, ..Message::new(self.place(block), MessageKind::Text) });
    }

    /// With all that goes with the words, if there are any.
    fn say_as_person(&mut self, message: Message) {
        let attachments = std::mem::take(&mut self.attachments);
        let permission_mode = self.mode.take();
        let role = Some(Role::User);
        self.say(Message { role, attachments, permission_mode, ..message });
    }

    /// What a person added to their words.
    pub(super) fn attach(&mut self, attachments: impl IntoIterator<Item = Attachment>) {
        self.attachments.extend(attachments);
    }

    /// The mode in which the prompt of this record was said.
    pub(super) fn said_in(&mut self, mode: &str) {
        self.mode = Some(mode.to_owned());
    }

    /// Shows what was added, where there were no words that it went with.
    pub(super) fn show_attached(&mut self, block: u32) {
        if self.attachments.is_empty() {
            return;
        }
        let block = block.max(self.next - self.base);
        self.say_as_person(Message::new(self.place(block), MessageKind::Text));
    }

    /// A prompt: what a person said, and the proof that the CLI took it.
    pub(super) fn prompt(&mut self, block: u32, text: String) {
        let position = self.place(block);
        self.user(block, text.clone());
        self.fact(Fact::Prompt(PromptMark { text, block: position.block }));
    }

    pub(super) fn lifecycle(
        &mut self,
        block: u32,
        event: LifecycleEvent,
        detail: impl Into<Option<String>>,
    ) {
        self.say(Message::lifecycle(self.place(block), event, detail.into()));
    }

    /// What the model was told beside the chat, for a debug view.
    pub(super) fn hidden(&mut self, block: u32, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            let cut = &text[..text.floor_char_boundary(LONGEST_HIDDEN)];
            self.lifecycle(block, LifecycleEvent::Hidden, cut.to_owned());
        }
    }

    /// A whole attachment, for a debug view: what kind of thing the model was told.
    pub(super) fn hidden_attachment(&mut self, kind: &str) {
        #[derive(Deserialize)]
        struct Raw<'a> {
            #[serde(borrow)]
            attachment: &'a RawValue,
        }
        let raw: Option<Raw<'_>> = serde_json::from_slice(self.text).ok();
        let raw = raw.map_or("", |it| it.attachment.get());
        self.hidden(0, &format!("{kind}: {raw}"));
    }

    pub(super) fn fact(&mut self, fact: Fact) {
        let about_the_view = matches!(fact, Fact::ToolEnded(_) | Fact::UnknownRecord(_));
        if about_the_view || !self.is_aside() {
            self.mapped.facts.push(fact);
        }
    }

    /// Keeps what nobody understands where it stands, and counts it.
    pub(super) fn unknown(&mut self, block: u32, kind: &str) {
        let kind: String = kind.chars().take(80).collect();
        let detail = format!("{kind}: {}", preview(self.text));
        self.lifecycle(block, LifecycleEvent::Unknown, detail);
        self.fact(Fact::UnknownRecord(kind));
    }
}

/// The beginning of `bytes`, in a form that is safe to show.
fn preview(bytes: &[u8]) -> String {
    // A character takes at most four bytes.
    let head = &bytes[..bytes.len().min(PREVIEW * 4)];
    String::from_utf8_lossy(head)
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .take(PREVIEW)
        .collect()
}
