//! What a person added to a prompt: images in it, and files that it names.
//!
//! What they hold is for the model. A reader is told what they are and how large.

use serde::Deserialize;

use crate::schema::{Attachment, AttachmentKind};

use super::loose::{Scalar, Shape};
use super::record::{self, Part};

/// Where a part has its bytes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Source<'a> {
    #[serde(borrow)]
    media_type: Scalar<'a>,
    #[serde(borrow)]
    data: Scalar<'a>,
}

/// What an attachment holds; of a file, its body.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Held<'a> {
    #[serde(borrow)]
    file: Shape<'a, Body<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Body<'a> {
    #[serde(borrow, rename = "type")]
    mime: Scalar<'a>,
    #[serde(borrow)]
    content: Scalar<'a>,
    #[serde(borrow)]
    base64: Scalar<'a>,
    #[serde(borrow)]
    original_size: Scalar<'a>,
}

/// The image or document that a part is.
pub(super) fn part(part: &Part<'_>) -> Option<Attachment> {
    let kind = match part.kind.text()? {
        "image" => AttachmentKind::Image,
        "document" => AttachmentKind::File,
        _ => return None,
    };
    let source = part.source.one();
    Some(Attachment {
        kind,
        name: None,
        mime: source.and_then(|it| it.media_type.words()).map(str::to_owned),
        bytes: source.and_then(|it| decoded(&it.data)),
    })
}

/// The file that a prompt named.
pub(super) fn file(attachment: &record::Attachment<'_>) -> Option<Attachment> {
    let name = attachment.display_path.words().or(attachment.filename.words())?;
    let body = attachment.content.one().and_then(|it| it.file.one());
    let mime = body.and_then(|it| it.mime.words()).filter(|it| it.contains('/'));
    let text = |it: &Body<'_>| it.content.text().map(|it| it.len() as u64);
    let is_image = mime.is_some_and(|it| it.starts_with("image/"));
    Some(Attachment {
        kind: if is_image { AttachmentKind::Image } else { AttachmentKind::File },
        name: Some(name.to_owned()),
        mime: mime.map(str::to_owned),
        bytes: body.and_then(|it| it.original_size.number().or(text(it)).or(decoded(&it.base64))),
    })
}

/// How many bytes a text in base 64 stands for; unknown if it was cut.
fn decoded(data: &Scalar<'_>) -> Option<u64> {
    let text = data.text().filter(|it| !it.is_empty() && !it.ends_with('…'))?;
    let padding = text.bytes().rev().take_while(|it| *it == b'=').count();
    Some((text.len() as u64 / 4 * 3).saturating_sub(padding as u64))
}
