#!/usr/bin/env bash
# Prints the pinned agent CLI that `npm ci` put into compat/, or nothing if it
# is not there (the demo then installs it by itself).
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
case "$(uname -s)-$(uname -m)" in
Linux-x86_64) platform=linux-x64 ;;
Linux-aarch64) platform=linux-arm64 ;;
Darwin-x86_64) platform=darwin-x64 ;;
Darwin-arm64) platform=darwin-arm64 ;;
*) exit 0 ;;
esac
# The pin knows the packages by their names; here only the platform matters.
for program in "$root"/compat/node_modules/@*/*-"$platform"/*; do
    if [ -f "$program" ] && [ -x "$program" ]; then
        printf '%s\n' "$program"
        exit 0
    fi
done
