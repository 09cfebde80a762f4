#!/usr/bin/env bash
# Builds and runs suites of tests, and prints a summary.
#
#     Scripts/test.sh SUITE …
#
# The whole output is in .build/logs. RETRIES is the number of failed tests that may run once more. A run without output for STILL
# seconds (300) is ended, with the stacks of its threads.
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
export SWIFTPM_BUILD_DIR=${SWIFTPM_BUILD_DIR:-$PWD/.build}
logs=.build/logs
mkdir -p "$logs"

# Sets what a suite needs: the arguments of the build, those of the run, and the number of failed tests that may run once more.
describe() {
    build=(--build-tests) run=() retries=0 backtrace=enable=yes
    case "$1" in
        checks) build+=(--package-path Checks) ;;
        # All but the timed tests, whose build takes a minute.
        library)
            export SQUALL_TESTS=SquallBaseTests,SquallTests,SquallChangesTests,SquallSearchTests,SquallStoreTests,SquallEncryptionTests,SQLFilesTests,DocumentationTests,SQiftCompatibilityTests,SQLiteORMCompatibilityTests,LifetimeTests,MainActorTests
            ;;
        # One test at a time: what waits for a thread or for another process is not held up by other tests.
        timed) run=(--filter '^SquallTimedTests\.' --no-parallel) retries=3 ;;
        # The same tests on another SQLite, by LD_LIBRARY_PATH.
        newest) run=(--skip '^SquallTimedTests\.') ;;
        # Those that need a cipher, on SQLCipher by LD_LIBRARY_PATH.
        encrypted) run=(--filter '^SquallEncryptionTests\.|Encryption[A-Za-z]*Snippets') ;;
        # All of them with every file encrypted. PlainFiles.swift lists those that cannot be.
        encrypted-library) export SQUALL_ENCRYPTED=1 && run=(--skip '^SquallTimedTests\.') ;;
        encrypted-timed) export SQUALL_ENCRYPTED=1 && run=(--filter '^SquallTimedTests\.' --no-parallel) retries=3 ;;
        # A tenth: the suites whose names have one of these words, without models and random steps.
        encrypted-tenth)
            export SQUALL_ENCRYPTED=1
            run=(--filter '\.[A-Za-z]*(Attach|Backup|Blob|Changes|ClosureSettings|GroupCommit|HeldReads|OtherProcess|Pool|Rebuild|SearchTable|Snapshot|Undo)[A-Za-z]*/')
            run+=(--skip '(Model|Property)Tests/' --no-parallel) retries=3
            ;;
        tool) build+=(--package-path Tools) ;;
        encrypted-tool) build+=(--package-path Tools) && run=(--filter '^SquallToolTests\.Encryption') ;;
        examples) build+=(--package-path Examples) ;;
        bookshop) build+=(--package-path Examples/Bookshop) ;;
        reminders) build+=(--package-path Examples/Reminders) ;;
        integrations) build+=(--package-path Integrations) ;;
        sync) build+=(--package-path Sync) ;;
        sync-server) build+=(--package-path Sync/Server) ;;
        laboratory) build+=(--package-path Laboratory) ;;
        documentation) build+=(--package-path Documentation) ;;
        # What has raw memory or is called from C.
        address) sanitize address .build-address SquallTests,SquallSearchTests Blobs,Connection,Extending,Hooks,VirtualTables ;;
        address-all) sanitize address .build-address SquallTests,SquallChangesTests,SquallSearchTests,SquallStoreTests,SQiftCompatibilityTests,SQLiteORMCompatibilityTests,MainActorTests ;;
        address-timed) sanitize address .build-address SquallTimedTests && run=(--no-parallel) ;;
        # What runs on several threads.
        thread) sanitize thread .build-thread SquallTimedTests && run=(--no-parallel) ;;
        thread-all) sanitize thread .build-thread SquallTests,SquallChangesTests,SquallSearchTests,SquallStoreTests,SQiftCompatibilityTests,SQLiteORMCompatibilityTests,MainActorTests ;;
        # What only a build with optimisation can break.
        lifetimes) sanitize address .build-lifetimes LifetimeTests && build+=(-c release) ;;
        # Without Hummingbird, which takes longer to build than all the rest.
        integrations-thread)
            export SQUALL_SANITIZED=1 SWIFTPM_BUILD_DIR=$PWD/.build-integrations-thread
            build+=(--package-path Integrations --sanitize thread)
            ;;
        *)
            echo "There is no suite $1." >&2
            exit 64
            ;;
    esac
    retries=${RETRIES:-$retries}
}

# Sets what a suite under a sanitizer needs. The arguments are the sanitizer, the folder of the build, the targets of tests, and the folders
# of SquallTests; nothing else is built.
sanitize() {
    export SWIFTPM_BUILD_DIR=$PWD/$2 SQUALL_TESTS=$3 SQUALL_TEST_FOLDERS=${4:-}
    export LSAN_OPTIONS="suppressions=$PWD/.ci/leaks.txt:print_suppressions=0"
    build+=(--sanitize "$1")
    # The stacks of a test that ends its process are not found in the address space of a sanitizer.
    backtrace=enable=no
}

# Shows how far a build is: each step on a terminal, otherwise a line a minute.
show_build() {
    [ -t 1 ] && exec cat
    local line last=$SECONDS
    while IFS= read -r line; do
        case "$line" in
            *error:*) echo "$line" ;;
            \[*)
                [ $((SECONDS - last)) -lt 60 ] && continue
                echo "building $1: ${line%%]*}]"
                last=$SECONDS
                ;;
        esac
    done
}

# Shows the issues of a run, its last line, and how many tests have passed.
show_run() {
    awk -v name="$1" -v terminal="$([ -t 1 ] && echo 1)" '
        / Test .* passed after / && !/Test run with/ {
            if (++passed % (terminal ? 10 : 500) == 0) {
                printf terminal ? "\r%s: %d tests" : "%s: %d tests\n", name, passed
                fflush()
            }
        }
        / (Test|Suite) .*(started\.|passed after |skipped)/ && !/Test run with/ { isIssue = 0; next }
        / recorded an issue | failed after |Test run with|Fatal error|crashed|^Thread |error:/ { isIssue = 1 }
        isIssue { if (terminal) printf "\r"; print; fflush() }
    '
}

# Prints the stacks of all threads of a process. Swift's own backtrace needs a crash, and does not come when threads of Dispatch wait.
print_stacks() {
    if [ "$(uname)" = Darwin ]; then
        sample "$1" 1
    else
        command -v gdb > /dev/null || apt-get install -y -qq gdb > /dev/null 2>&1
        gdb -p "$1" --batch -ex 'thread apply all backtrace' 2> /dev/null
    fi
}

# Ends the test process of a run whose log has not grown for a while, with the stacks of its threads.
watch_log() {
    local size before=-1 still=0 process
    while sleep 5; do
        size=$(wc -c < "$2" || echo 0)
        [ "$size" = "$before" ] && still=$((still + 5)) || still=0
        before=$size
        [ "$still" -lt "${STILL:-300}" ] && continue
        process=$(pgrep -P "$1" -f '[.]xctest')
        {
            echo "error: no output for $still seconds: these are the stacks of all threads"
            print_stacks "$process"
        } | tee -a "$2"
        kill -KILL "$process" "$1"
        return
    done
}

# Runs the built tests of a suite. The arguments are its name and more for `swift test`.
run_tests() {
    local name=$1 log="$logs/$1.log" code test watcher
    shift
    rm -f "$logs/$name"*.xml
    SWIFT_BACKTRACE="$backtrace,threads=all,interactive=no,color=no" \
        "$swift" test --skip-build --disable-xctest --xunit-output "$logs/$name.xml" "${build[@]:1}" ${run[@]+"${run[@]}"} \
        "$@" > >(tee "$log" | show_run "$name") 2>&1 &
    test=$!
    watch_log "$test" "$log" &
    watcher=$!
    wait "$test"
    code=$?
    kill "$watcher" 2> /dev/null
    wait "$watcher" 2> /dev/null
    sleep 1 # until the last lines are shown
    return "$code"
}

# Prints the failed tests of a run, each `Target.Suite/name`.
failed_tests() {
    cat "$logs/$1"*.xml 2> /dev/null | tr '\n' ' ' | sed 's/<testcase/\n<testcase/g' | grep '<failure' |
        sed 's/^<testcase classname="\([^"]*\)" name="\([^("]*\)(.*/\1\/\2/' | sort -u
}

# Builds and runs a suite. A suite that allows it runs up to so many failed tests once more, and notes them.
run_suite() {
    local name=$1 start=$SECONDS built names filters test
    describe "$name"
    : > "$logs/$name-build.log"
    # SwiftPM could take the plan of another package for that of this one.
    rm -f "$SWIFTPM_BUILD_DIR"/*/description.json
    if ! "$swift" build "${build[@]}" 2>&1 | tee "$logs/$name-build.log" | show_build "$name"; then
        tail -40 "$logs/$name-build.log"
        return 1
    fi
    built=$SECONDS
    if ! run_tests "$name"; then
        names=$(failed_tests "$name")
        [ -n "$names" ] && [ "$(wc -l <<< "$names")" -le "$retries" ] || return 1
        echo "These failed, and run once more:" $names
        sed "s/^/$(date -u +%FT%TZ) /" <<< "$names" >> "$logs/retries.txt"
        mv "$logs/$name.log" "$logs/$name-first.log"
        filters=()
        for test in $names; do filters+=(--filter "^${test//./\\.}\\("); done
        run=(--no-parallel)
        run_tests "$name" "${filters[@]}" || return 1
        cat "$logs/$name.log" >> "$logs/$name-first.log" && mv "$logs/$name-first.log" "$logs/$name.log"
    fi
    printf '%-14s %5d tests  built in %3d s, ran %3d s\n' "$name" "$(number_of_tests "$name")" \
        $((built - start)) $((SECONDS - built)) >> "$logs/summary.txt"
}

# Prints the number of tests that a run had.
number_of_tests() {
    sed -n 's/.*Test run with \([0-9]*\) tests\{0,1\} .*/\1/p' "$logs/$1.log" | head -1
}

: > "$logs/summary.txt"
for suite in "$@"; do
    # A suite may set variables of the environment.
    if ! (run_suite "$suite"); then
        cat "$logs/summary.txt"
        echo "$suite failed. Its whole output is in $logs/$suite.log."
        exit 1
    fi
done
echo
cat "$logs/summary.txt"
echo "All passed in $SECONDS s."
