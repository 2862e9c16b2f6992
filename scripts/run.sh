#!/usr/bin/env bash
# Starts what a person came for: `scripts/run.sh [--demo] SEAMUX [FLAGS...]`.
#
# Real work if an agent CLI is signed in on this machine, else the demo, which
# needs no account. The only script that knows an agent CLI by name.
set -euo pipefail

cd "$(dirname "$0")/.."
say() { printf '  %s\n' "$*"; }

# Why there is no signed-in CLI here; nothing if there is one.
why_not() {
    local config=${CLAUDE_CONFIG_DIR:-${HOME:-}}/.claude.json
    if ! command -v claude >/dev/null; then
        printf 'there is no agent CLI on the PATH'
    elif [ ! -f "$config" ]; then
        # Not asked: a CLI that was never used would write its settings now.
        printf 'the agent CLI was never set up here'
    elif ! asked; then
        printf 'the agent CLI is not signed in (claude auth login)'
    fi
}

# With the variables that seamux gives to the CLI, and no key from this shell.
asked() {
    local env=(HOME="$HOME" PATH="$PATH")
    if [ -n "${CLAUDE_CONFIG_DIR:-}" ]; then
        env+=(CLAUDE_CONFIG_DIR="$CLAUDE_CONFIG_DIR")
    fi
    env -i "${env[@]}" timeout 20 claude auth status </dev/null >/dev/null 2>&1
}

demo=no
if [ "$1" = --demo ]; then
    demo=yes
    shift
fi
seamux=$1
shift

if [ "$demo" = no ]; then
    reason=$(why_not)
    if [ -z "$reason" ]; then
        exec "$seamux" serve "$@"
    fi
    say "This is the demo, because $reason."
fi
if [ -z "${SEAMUX_DEMO_CLI:-}" ]; then
    cli=$(scripts/pinned-cli.sh)
    # Without it the demo installs the CLI by itself.
    if [ -n "$cli" ]; then
        export SEAMUX_DEMO_CLI=$cli
    fi
fi
exec "$seamux" demo "$@"
