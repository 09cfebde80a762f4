#!/usr/bin/env bash
# Counts in the logs of .ci/run how often the library was compiled, and fails above a limit.
#
#     Scripts/count-compilations.sh LIMIT
set -euo pipefail
cd "$(dirname "$0")/.."
total=0
for log in .build/logs/*-build.log .build/gate/*.log; do
    [ -e "$log" ] || continue
    # A build without optimisation emits the module once; one with optimisation names one file of it.
    count=$(grep -cE '^\[[0-9]+/[0-9]+\] Emitting module Squall$' "$log" || true)
    [ "$count" != 0 ] || count=$(grep -cE '^\[[0-9]+/[0-9]+\] Compiling Squall [^ ]+\.swift$' "$log" || true)
    [ "$count" = 0 ] || echo "$count  $log"
    total=$((total + count))
done
echo "Squall was compiled $total times; the limit is $1."
[ "$total" -le "$1" ]
