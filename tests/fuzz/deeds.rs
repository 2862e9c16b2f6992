//! What can happen to a file, at random: as bytes, which `tailer` reads as deeds.

use super::chance::Chance;

const TEXTS: &[&[u8]] = &[b"", b"a", b"\n", b"ab\r\n", b"\n\n", b"one\ntwo\nthr", b"\0", b"\xff\r"];

pub(crate) fn random(chance: &mut Chance) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..=chance.below(24) {
        let deed = chance.below(8) as u8;
        bytes.push(deed);
        // Those that a text belongs to.
        if deed < 4 {
            let mut text: Vec<u8> = Vec::new();
            for _ in 0..chance.below(4) {
                text.extend(*chance.pick(TEXTS));
            }
            if chance.one_in(6) {
                text.resize(text.len() + chance.below(100), b'x');
            }
            bytes.push(text.len() as u8);
            bytes.extend(text);
        }
    }
    bytes
}
