//! The `seamux` program.

fn main() {}
