//! Where a message stands in its transcript.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A message's place in its transcript: identity, order and cursor in one.
///
/// For a growing file, `record` is the byte offset of the record that created
/// the message and `block` the part within that record. A provider whose store
/// is something else supplies numbers with the same two promises: they order
/// the messages, and they never change. Written as `"record.block"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub record: u64,
    pub block: u32,
}

impl Position {
    pub fn new(record: u64, block: u32) -> Self {
        Self { record, block }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.record, self.block)
    }
}

/// The text is not `record.block` with two whole numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a position; one looks like `1204.0`")]
pub struct ParsePositionError(String);

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParsePositionError(text.chars().take(40).collect());
        let (record, block) = text.split_once('.').ok_or_else(wrong)?;
        Ok(Self {
            record: record.parse().map_err(|_| wrong())?,
            block: block.parse().map_err(|_| wrong())?,
        })
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for Position {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r"^\d+\.\d+$"))
            .description(Some("A message's place in its transcript: `record.block`"))
            .examples(["1204.0"])
            .into()
    }
}

impl ToSchema for Position {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_reads_back_and_orders_by_record_then_block() {
        let early: Position = "9.3".parse().expect("a position");
        let late: Position = "10.0".parse().expect("a position");
        assert!(early < late);
        assert_eq!(late.to_string(), "10.0");
    }

    #[test]
    fn nonsense_is_refused_with_an_example() {
        let error = "12".parse::<Position>().expect_err("no block");
        assert_eq!(error.to_string(), "`12` is not a position; one looks like `1204.0`");
    }
}
