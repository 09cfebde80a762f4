#!/usr/bin/env bash
# Prints the lines of Sources that the tests of the package have run, folder by folder, from the data of `make coverage`, and fails
# below 95 percent.
#
#     Laboratory/Scripts/coverage.sh scratch-path
set -euo pipefail
program=$(ls "$1"/debug/*PackageTests.xctest | head -1)
tools=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
"$tools/llvm-cov" export -summary-only -instr-profile="$1/debug/codecov/default.profdata" \
    -ignore-filename-regex='/(Tests|\.build[^/]*)/' "$program" |
    python3 "$(dirname "$0")/coverage.py"
