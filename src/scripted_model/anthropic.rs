//! The Anthropic Messages API, as far as the CLI that speaks it needs it. Pure.

pub(super) mod reply;
pub(super) mod request;
mod surroundings;

#[cfg(test)]
mod tests;
