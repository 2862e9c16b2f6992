#!/usr/bin/env bash
# Makes sure that programs are here: `scripts/need.sh tmux chromium`.
# What Debian can bring is installed; for the rest it says what to do.
set -euo pipefail

say() { printf 'seamux: %s\n' "$*"; }
give_up() {
    printf 'seamux: %s\n' "$1" >&2
    printf '  hint: %s\n' "$2" >&2
    exit 1
}

# Installs one Debian package, as root or with sudo.
install_package() {
    local package=$1 why=$2
    command -v apt-get >/dev/null ||
        give_up "$package is missing ($why), and there is no apt-get here" \
            "install $package with your system's package manager, then run this again"
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            give_up "$package is missing ($why), and only root can install it" \
                "as root: apt-get install -y $package; then run this again"
        as_root=(sudo)
    fi
    say "installing $package ($why)"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
    "${apt[@]}" install -y --no-install-recommends "$package" </dev/null >/dev/null 2>&1 || {
        # A fresh machine has no list of packages yet.
        "${apt[@]}" update </dev/null >/dev/null
        "${apt[@]}" install -y --no-install-recommends "$package" </dev/null >/dev/null
    } || give_up "$package could not be installed" "apt-get install -y $package; it says why"
}

need() {
    case $1 in
    tmux)
        command -v tmux >/dev/null || install_package tmux "agents run inside it"
        ;;
    chromium)
        # One that a person named is theirs to bring.
        if [ -z "${CHROMIUM:-}" ] && ! scripts/chromium.sh >/dev/null 2>&1; then
            install_package chromium "the browser tests open the page in it"
        fi
        scripts/chromium.sh >/dev/null
        ;;
    cargo)
        command -v cargo >/dev/null ||
            give_up "cargo is missing" "install Rust 1.91 or newer, from https://rustup.rs"
        cargo --version >/dev/null ||
            give_up "cargo does not run" "rustup default stable; or set RUSTUP_HOME to where it is installed"
        ;;
    lints)
        cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 ||
            give_up "cargo fmt or cargo clippy is missing" "rustup component add rustfmt clippy"
        ;;
    cc)
        command -v cc >/dev/null || install_package build-essential "SQLite is compiled, and Rust links with it"
        ;;
    kill)
        type -P kill >/dev/null ||
            install_package procps "tests end processes with kill"
        ;;
    node)
        command -v node >/dev/null ||
            give_up "node is missing" "install Node.js 20.19 or newer"
        node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
            give_up "node $(node --version) is too old" "install Node.js 20.19 or newer"
        ;;
    npm)
        command -v npm >/dev/null || give_up "npm is missing" "install it; Debian has it in the package npm"
        ;;
    *)
        give_up "nobody knows how to get $1" "add it to scripts/need.sh"
        ;;
    esac
}

for program in "$@"; do
    need "$program"
done
