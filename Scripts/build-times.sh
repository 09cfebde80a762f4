#!/bin/bash
# Builds Squall and GRDB from nothing, without optimisation and with it, and prints what a line of code costs.
#
# The processor time is less disturbed by other programs than the elapsed time. Lines that are blank or only comments are not counted.
set -euo pipefail
cd "$(dirname "$0")/.."

swift package --package-path Benchmarks resolve > /dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

lines() {
    find "$1" -name '*.swift' -exec cat {} + |
        awk '/^[[:space:]]*\/\*/ { inside = 1 } !inside && NF && !/^[[:space:]]*\/\// { count++ } /\*\// { inside = 0 } END { print count }'
}

# The library, its package, the folder of its sources.
measure() {
    local count
    count=$(lines "$3")
    for configuration in debug release; do
        rm -rf "$scratch/build"
        TIMEFORMAT='%R %U %S'
        { time SWIFTPM_BUILD_DIR="$scratch/build" swift build -c "$configuration" --package-path "$2" --target "$1" \
            > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }; } 2> "$scratch/time"
        tail -1 "$scratch/time" | awk -v name="$1" -v configuration="$configuration" -v lines="$count" '{
            printf "%-7s %-8s %6d lines %7.1f s elapsed %7.1f s of processor time %6.2f ms per line\n",
                name, configuration, lines, $1, $2 + $3, ($2 + $3) * 1000 / lines }'
    done
}

measure Squall . Sources/Squall
measure GRDB "${SWIFTPM_BUILD_DIR:-Benchmarks/.build}"/checkouts/GRDB.swift "${SWIFTPM_BUILD_DIR:-Benchmarks/.build}"/checkouts/GRDB.swift/GRDB
