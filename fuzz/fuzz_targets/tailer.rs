//! Looks for deeds that the follower does not stand; see `checks/tailer.rs`.
#![no_main]

#[path = "../checks/tailer.rs"]
mod tailer;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tailer::check_deeds(tailer::Deed::read(bytes)));
