//! What the CLI answers when it is asked for its commands without a terminal.

use serde::Deserialize;

use crate::seam::CommandAsk;

/// Asks and sends nothing else, so no turn begins. The home is empty; the rest makes sure
/// that nothing is run, fetched or called besides.
pub(super) const ASK: CommandAsk = CommandAsk {
    args: &[
        "-p",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
        "--strict-mcp-config",
        "--settings",
        r#"{"disableAllHooks":true}"#,
    ],
    env: &[
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
    ],
    stdin: "{\"type\":\"control_request\",\"request_id\":\"commands\",\"request\":{\"subtype\":\"initialize\"}}\n",
};

#[derive(Debug, Deserialize)]
pub(super) struct Answered {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default, rename = "argumentHint", deserialize_with = "filled")]
    pub(super) arg_hint: Option<String>,
}

#[derive(Deserialize)]
struct Line {
    response: Response,
}

#[derive(Deserialize)]
struct Response {
    response: Catalogue,
}

#[derive(Deserialize)]
struct Catalogue {
    commands: Vec<Answered>,
}

/// The commands of the first line that lists any.
pub(super) fn read(stdout: &[u8]) -> Option<Vec<Answered>> {
    let mut lines = stdout.split_inclusive(|it| *it == b'\n').filter(|it| it.ends_with(b"\n"));
    let line = lines.find_map(|it| serde_json::from_slice::<Line>(it).ok())?;
    Some(line.response.response.commands)
}

fn filled<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    Ok(text.filter(|it| !it.trim().is_empty()))
}
