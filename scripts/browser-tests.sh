#!/usr/bin/env bash
# The page in a real browser, against the real program and the real CLI, which
# talks to a scripted model: `scripts/browser-tests.sh SEAMUX`. With `--mock` it is
# the built page against a mock server, which needs neither.
#
# Everything lives in one temporary folder and on a tmux server of its own, and
# both are gone afterwards, whatever happens.
set -euo pipefail

cd "$(dirname "$0")/.."
if [ "${1:-}" = --mock ]; then
    CHROMIUM=$(scripts/chromium.sh) exec npm --prefix web run e2e
fi
seamux=$1
socket=seamux-browser-$$
temp=$(mktemp -d /tmp/seamux-browser.XXXXXX)
server=""

our_tmux() {
    env -u TMUX -u TMUX_TMPDIR tmux -L "$socket" "$@"
}

clean_up() {
    local status=$?
    trap - EXIT
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    local agents
    agents=$(our_tmux list-panes -a -F '#{pane_pid}' 2>/dev/null || true)
    our_tmux kill-server 2>/dev/null || true
    rm -f "/tmp/tmux-$(id -u)/$socket"
    # An agent that still ends would write into the folder that is removed.
    local agent
    for agent in $agents; do
        timeout 10 tail --pid="$agent" -f /dev/null || true
    done
    if [ "$status" != 0 ] && [ -f "$temp/state/seamux.log" ]; then
        printf '\n-- the last lines of the log\n' >&2
        tail -n 40 "$temp/state/seamux.log" "$temp/errors" >&2 || true
    fi
    rm -rf "$temp"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

CHROMIUM=$(scripts/chromium.sh)
export CHROMIUM
mkdir "$temp/home"

# Nothing of this shell reaches the program: no key, no setting, no other tmux.
clean=(HOME="$temp/home" PATH="$PATH" LANG=C.UTF-8)
cli=$(scripts/pinned-cli.sh)
[ -z "$cli" ] || clean+=(SEAMUX_DEMO_CLI="$cli")
env -i "${clean[@]}" \
    "$seamux" demo --json --no-open --listen 127.0.0.1:0 --state-dir "$temp/state" \
    --tmux-socket "$socket" --scenario compat/scenarios/live.toml \
    >"$temp/ready" 2>"$temp/errors" </dev/null &
server=$!

for _ in $(seq 600); do
    [ ! -s "$temp/ready" ] || break
    if ! kill -0 "$server" 2>/dev/null; then
        printf 'seamux did not start:\n' >&2
        cat "$temp/errors" >&2
        exit 1
    fi
    sleep 0.1
done
[ -s "$temp/ready" ] || { printf 'seamux was not ready within a minute\n' >&2; exit 1; }

SEAMUX_URL=$(node -e '
    const { url, token, run_id } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    process.stdout.write(`${url}/#token=${token}&run=${run_id}`);
' "$temp/ready")
export SEAMUX_URL
(cd web && npx --no-install playwright test real) </dev/null
