//! All integration tests in one binary.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod terminal;

#[test]
fn the_suite_is_wired() {
    let path = std::env::current_dir().ok().unwrap();
    assert!(path.join("Cargo.toml").exists());
}
