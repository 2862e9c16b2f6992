#!/usr/bin/env bash
# The whole suite, in the order in which it fails fastest. `make test` calls it
# when everything that it needs is here.
set -euo pipefail

cd "$(dirname "$0")/.."
started=$SECONDS
# A log is easier to read without colours.
[ -t 1 ] || export NO_COLOR=1
step=""
trap '[ $? = 0 ] || printf "\nFAILED: %s\n" "$step" >&2' EXIT

run() {
    step=$1
    shift
    local from=$SECONDS
    printf '\n== %s\n' "$step"
    "$@"
    passed+="  passed: $step ($((SECONDS - from)) s)"$'\n'
}

passed=""
run "form of the Rust code" cargo fmt --check
run "the page: lint, types, tests, build" npm --prefix web run check
run "clippy" cargo clippy --locked --all-targets -- -D warnings
run "the page in a browser, against a mock server" scripts/browser-tests.sh --mock
run "Rust tests: unit, integration, live" cargo test --locked
# What differs between versions: dialogs, keys, what is typed, how a turn ends.
run "live tests again, with the newest CLI" env SEAMUX_TEST_CLI=newest cargo test --locked --test it -- \
    live::dialogs live::keys:: live::queue live::receipts live::interrupt live::epochs live::text live::commands auth::
run "fuzzing for a minute" cargo test --locked --test fuzz -- --seconds 60
# The program is the one that the Rust tests have built.
run "the page in a browser, against the real program" scripts/browser-tests.sh target/debug/seamux

printf '\n%s\nAll tests passed in %s s.\n' "$passed" "$((SECONDS - started))"
