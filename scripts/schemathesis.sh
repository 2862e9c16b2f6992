#!/usr/bin/env bash
# Lets schemathesis make requests out of the served OpenAPI document, against
# `seamux demo`: `scripts/schemathesis.sh [SEAMUX]`. Fails when an answer is a server
# error, or is not as the document says.
#
# EXAMPLES (per operation, 40), SECONDS_EACH (for each of two passes, 120) and SEED
# may be set. schemathesis comes from PyPI into a folder of its own ($VENV); all else
# lives in one temporary folder and on a tmux server of its own, and is gone afterwards.
set -euo pipefail

cd "$(dirname "$0")/.."
seamux=${1:-target/debug/seamux}
version=4.32.5
venv=${VENV:-target/schemathesis}
socket=seamux-schema-$$
temp=$(mktemp -d /tmp/seamux-schema.XXXXXX)
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
    local agents agent
    agents=$(our_tmux list-panes -a -F '#{pane_pid}' 2>/dev/null || true)
    our_tmux kill-server 2>/dev/null || true
    rm -f "/tmp/tmux-$(id -u)/$socket"
    if [ "$status" != 0 ] && [ -f "$temp/state/seamux.log" ]; then
        printf '\n-- warnings and errors in the log\n' >&2
        grep -E ' (WARN|ERROR) ' "$temp/state/seamux.log" | tail -n 20 >&2 || true
    fi
    # An agent that still ends would write into the folder that is removed.
    for agent in $agents; do
        timeout 10 tail --pid="$agent" -f /dev/null || true
    done
    rm -rf "$temp"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
venv=$(realpath "$venv")
"$venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"

mkdir "$temp/home"
# Nothing of this shell reaches the program: no key, no setting, no other tmux.
clean=(HOME="$temp/home" PATH="$PATH" LANG=C.UTF-8)
cli=$(scripts/pinned-cli.sh)
[ -z "$cli" ] || clean+=(SEAMUX_DEMO_CLI="$cli")
mkfifo "$temp/ready"
env -i "${clean[@]}" \
    "$seamux" demo --json --no-open --listen 127.0.0.1:0 --state-dir "$temp/state" \
    --tmux-socket "$socket" >"$temp/ready" 2>"$temp/errors" </dev/null &
server=$!
ready=$(head -n 1 "$temp/ready")
[ -n "$ready" ] || { cat "$temp/errors" >&2; exit 1; }
value() {
    printf '%s' "$ready" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"
}
url=$(value url) token=$(value token) run=$(value run_id)

# The document has no ids in it: without this nearly every answer would be 404.
printf '[parameters]\n"path.id" = "%s"\n' "$run" >"$temp/one-run.toml"
: >"$temp/any-run.toml"

attack() {
    local config=$1
    shift
    # It writes where it stands.
    cd "$temp"
    "$venv/bin/st" --config-file "$temp/$config.toml" --no-color run "$url/api/openapi.json" \
        --header "Authorization: Bearer $token" --max-examples "${EXAMPLES:-40}" \
        --max-time "${SECONDS_EACH:-120}" --request-timeout 20 --continue-on-failure \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
        --phases examples,coverage,fuzzing --warnings off \
        ${SEED:+--seed "$SEED"} --exclude-path /api/v1/events "$@"
}

# The stream never ends. A token that signs out or is revoked would end the test,
# and a run that was stopped has little left to say.
attack any-run --exclude-path /api/v1/session
attack one-run --include-path-regex '^/api/v1/runs/' --exclude-path-regex '/(stop|resume)$' --exclude-method DELETE
curl -fsS "$url/healthz"
printf '\nNo server error, and every answer as documented.\n'
