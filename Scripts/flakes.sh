#!/usr/bin/env bash
# Runs the timed tests 20 times and the others of the root 3 times, beside two busy loops, without running a failed test again. Each
# run appends a line to Laboratory/Flakes.txt. A call goes on where the last one for these sources stopped.
set -uo pipefail
cd "$(dirname "$0")/.."
table=Laboratory/Flakes.txt
sources=$(cat <(git rev-parse HEAD:Sources HEAD:Tests) <(git diff HEAD -- Sources Tests) | git hash-object --stdin | cut -c 1-10)
export RETRIES=0

mkdir -p .build
# Without the loops, which would only make it slower.
"${SWIFT:-swift}" build --build-tests > .build/flakes-build.log 2>&1 || { tail -40 .build/flakes-build.log; exit 1; }

for _ in 1 2; do (while :; do :; done) & done
trap 'kill $(jobs -p) 2> /dev/null' EXIT

for run in timed:20 library:3; do
    suite=${run%:*}
    finished=$(grep -c "  $sources  $suite " "$table")
    for ((round = finished + 1; round <= ${run#*:}; round++)); do
        start=$SECONDS
        Scripts/test.sh "$suite"
        code=$?
        log=.build/logs/$suite.log
        failures=$(grep -cE '^✘ Test .* failed after' "$log")
        [ "$code" = 0 ] || [ "$failures" != 0 ] || failures=ended
        printf '%s  %s  %-8s round %2d  %5s tests  %s failures  %4d s\n' "$(date -u +%F)" "$sources" "$suite" "$round" \
            "$(sed -n 's/.*Test run with \([0-9]*\) tests.*/\1/p' "$log")" "$failures" $((SECONDS - start)) >> "$table"
        tail -1 "$table"
    done
done
grep "  $sources  " "$table"
! grep "  $sources  " "$table" | grep -qv " 0 failures"
