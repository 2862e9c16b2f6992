//! The CLIs that seamux drives, one folder each.
//!
//! A provider is tied to the seam and to the schema, and to nothing else.

pub mod claude_code;
