//! The Anthropic Messages API, as far as the CLI that speaks it needs it. Pure.

pub(super) mod reply;
pub(super) mod request;
mod surroundings;

/// Marks the calls that answer a message which waited. Ids are the one thing that the CLI sends back
/// as it got it, so this is where the model can remember to which prompt a call belongs.
const FOR_WAITING: &str = "toolu_waiting_";

#[cfg(test)]
mod tests;
