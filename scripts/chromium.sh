#!/usr/bin/env bash
# Prints which Chromium the browser tests use: $CHROMIUM, else the first one found.
set -euo pipefail

if [ -n "${CHROMIUM:-}" ]; then
    command -v "$CHROMIUM" && exit
    printf 'seamux: CHROMIUM is %s, and that is no program\n' "$CHROMIUM" >&2
    exit 1
fi
for program in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$program" && exit
done
printf 'seamux: there is no Chromium here\n  hint: make setup-test, or set CHROMIUM to the program\n' >&2
exit 1
