#!/usr/bin/env bash
# Runs the tests of the package, built with `--enable-code-coverage`, and prints the lines of Sources that they have run, folder by
# folder. Fails below 95 percent. With `--again`, only prints those of the last run.
#
#     Laboratory/Scripts/coverage.sh scratch-path [--again]
set -euo pipefail
program=$(ls "$1"/debug/*PackageTests.xctest | head -1)
data="$1/coverage"
tools=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
if [ "${2:-}" != --again ]; then
    rm -rf "$data"
    mkdir -p "$data"
    LLVM_PROFILE_FILE="$(realpath "$data")/%p.profraw" "$program" --testing-library swift-testing
fi
# Some tests kill a process, whose data is then damaged. `swift test` would fail because of them.
"$tools/llvm-profdata" merge -sparse -failure-mode=all -o "$data/all.profdata" "$data"/*.profraw
"$tools/llvm-cov" export -summary-only -instr-profile="$data/all.profdata" \
    -ignore-filename-regex='/(Tests|\.build[^/]*)/' "$program" |
    python3 "$(dirname "$0")/coverage.py"
