//! Looks for bytes that the mapper does not stand; see `checks/mapper.rs`.
#![no_main]

#[path = "../checks/mapper.rs"]
mod mapper;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| mapper::check_file(file));
