#!/usr/bin/env bash
# Builds the package with the headers of several versions of SQLite, runs its tests on them, and prints a table.
#
#     Scripts/matrix.sh [NAME…]      names of Scripts/sqlite-versions.sh; without names, all of them
#
# SKIP is a pattern of tests that are left out. The logs are .build-matrix/NAME.log. One scratch path serves all versions: the flags of
# the compiler name the folder of the headers, so that Swift compiles again for each version. A test compares the version of the headers
# and that of the library with the one that this script names.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- oldest stable newest small apple
scratch=.build-matrix
timed='^SquallTimedTests[.]'
# SwiftPM reads this variable before --scratch-path.
export SWIFTPM_BUILD_DIR=$PWD/$scratch
mkdir -p $scratch
rows=()
status=0

# Prints how many lines of a log match a pattern.
count() {
    grep -cE "$1" "$2" || true
}

for name in "$@"; do
    folder=$(Scripts/sqlite-versions.sh "$name")
    version=$(sed -n 's/^#define SQLITE_VERSION *"\(.*\)"/\1/p' "$folder/include/sqlite3.h")
    flags=(-Xcc "-I$folder/include" -Xlinker "-L$folder/lib")
    log=$scratch/$name.log
    export SQUALL_SQLITE=$version SQUALL_SQLITE_HEADERS=$version
    # The generator of SQL files runs during the build.
    export LD_LIBRARY_PATH=$folder/lib
    # Clang finds a compiled module by its name, not by the folder of its headers: that of another version would be used.
    rm -rf $scratch/*/debug/ModuleCache
    began=$SECONDS
    if ! swift build --build-tests "${flags[@]}" > "$log" 2>&1; then
        status=1
        tail -n 30 "$log"
        rows+=("$name|$version|-|not built|$((SECONDS - began))|-")
        continue
    fi
    built=$SECONDS
    code=0
    : > "$log"
    # The timed tests one at a time, as Scripts/test.sh runs them.
    for run in "--skip $timed" "--filter $timed --no-parallel"; do
        timeout 1200 swift test --skip-build --disable-xctest "${flags[@]}" $run ${SKIP:+--skip "$SKIP"} >> "$log" 2>&1 || code=$?
    done
    tests=$(sed -nE 's/.*Test run with ([0-9]+) tests.*/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
    failures=$(count '^. Test .* failed after ' "$log")
    if [ "$tests" = 0 ]; then
        tests='-' failures='ended early'
    fi
    if [ $code != 0 ] || [ "$failures" != 0 ]; then
        status=1
        grep -E '^. Test .*(recorded an issue|failed after) ' "$log" || tail -n 30 "$log"
    fi
    rows+=("$name|$version|$tests|$failures|$((built - began))|$((SECONDS - built))")
done

{
    echo 'SQLite|version|tests|failures|build (s)|run (s)'
    printf '%s\n' "${rows[@]}"
} | awk -F '|' '{ printf "%-8s %-8s %6s %12s %10s %8s\n", $1, $2, $3, $4, $5, $6 }'
exit $status
