//! What differs between versions of the CLI, as far as keys are concerned.

use std::time::Duration;

/// The ways of one version and of those after it, until the next entry.
pub(super) struct Ways {
    since: [u32; 3],
    /// After a dialog came up, keys are swallowed for this long.
    pub(super) guard: Duration,
}

/// Versions on which every recipe is carried out by the live tests.
pub(super) const VERIFIED: &[&str] = &["2.1.198", "2.1.332"];

/// Oldest first.
const KNOWN: &[Ways] = &[
    Ways { since: [2, 1, 0], guard: Duration::ZERO },
    Ways { since: [2, 1, 199], guard: Duration::from_millis(350) },
];

/// The newest known ways that this version can have. A version that is not
/// known is taken for the newest, which is the most careful.
pub(super) fn ways(version: Option<&str>) -> &'static Ways {
    let version = version.and_then(numbers).unwrap_or([u32::MAX; 3]);
    KNOWN.iter().rfind(|it| it.since <= version).unwrap_or(&KNOWN[0])
}

fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.split('.').map(|it| it.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_the_ways_of_the_newest_entry_before_it() {
        let guard = |version| ways(version).guard.as_millis();
        assert_eq!((guard(Some("2.1.197")), guard(Some("2.1.198"))), (0, 0));
        // Between the two, nobody has looked: the guard does no harm.
        assert_eq!((guard(Some("2.1.250")), guard(Some("2.1.332"))), (350, 350));
        assert_eq!((guard(Some("3.0.0")), guard(Some("odd")), guard(None)), (350, 350, 350));
        assert_eq!(guard(Some("1.0.5")), 0);
    }
}
