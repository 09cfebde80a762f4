#!/usr/bin/env bash
# Runs the library's tests, which are built on this machine, in Debian 13 on the SQLite of that distribution, and compiles and runs the
# program of the README there.
#
#     Scripts/debian13.sh
#
# The system is .build/debian13/system, which debootstrap makes once: remove the folder for a newer one. The toolchain and this checkout
# are mounted into it, read-only, for this process and its children alone. What is compiled there is kept in the system.
#
# Requires Debian, root and debootstrap. The packages come from the mirror of Debian that apt is configured for. Where one of these is
# missing, the exit code is 69.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
swift=${SWIFT:-swift}
kept=$root/.build/debian13
system=$kept/system
export SWIFTPM_BUILD_DIR=$root/.build
# A test compares it with the version of the library in its process.
version=3.46.1
# SQLite and its shell, what the toolchain needs, and a compiler of C for the tests that load extensions.
packages=ca-certificates,gcc,git,libc6-dev,libcurl4t64,libncurses6,libsqlite3-dev,libstdc++-14-dev,libxml2,sqlite3,tzdata
unavailable() {
    echo "$(basename "$0"): $*" >&2
    exit 69
}

[ "$(id -u)" = 0 ] || unavailable "requires root"
for program in apt-get debootstrap unshare; do
    command -v $program > /dev/null || unavailable "requires $program"
done
# Every mount is private to this process.
if [ "${1:-}" != mounted ]; then
    unshare --mount true || unavailable "may not mount file systems"
    exec unshare --mount Scripts/debian13.sh mounted
fi

# Prints the mirror of Debian whose lists apt has.
mirror() { apt-get indextargets --format '$(SITE)' | grep -E '/debian/?$' | head -n 1; }

# Makes the system.
install() {
    local mirror
    [ -n "$(mirror)" ] || apt-get update -qq > /dev/null || true
    mirror=$(mirror) || unavailable "apt has no mirror of Debian"
    echo "installing Debian 13 from $mirror"
    rm -rf --one-file-system "$system" "$kept/new"
    mkdir -p "$kept"
    debootstrap --variant=minbase --include=$packages trixie "$kept/new" "$mirror" > "$kept/install.log" 2>&1 || {
        tail -n 5 "$kept/install.log" >&2
        unavailable "Debian 13 cannot be installed from $mirror"
    }
    echo $packages > "$kept/new/packages"
    mv "$kept/new" "$system"
}

# Mounts a folder into the system: at the second path, read-only.
show() {
    mkdir -p "$system$2"
    mount --bind -o ro "$1" "$system$2"
}

# Runs a command in the system. Programs of the system come before those of the toolchain, whose folder may have others as well.
inside() {
    env -u TMPDIR HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin:/toolchain/bin SWIFTPM_BUILD_DIR=/build SQUALL_SQLITE=$version \
        chroot "$system" "$@"
}

# Runs built tests, and fails if one fails or if there is none. The arguments are the name of the log, and those of the tests.
run_tests() {
    local log=$kept/$1.log code=0
    shift
    inside timeout 1200 "$tests" --testing-library swift-testing "$@" > "$log" 2>&1 || code=$?
    grep -E 'recorded an issue|Test .* failed after |Fatal error|Test run with' "$log" || tail -n 30 "$log"
    grep -qE 'Test run with [1-9][0-9]* tests? ' "$log" && return "$code"
}

[ "$(cat "$system/packages" 2> /dev/null)" = $packages ] || install
"$swift" build --build-tests > "$kept/build.log" 2>&1 || {
    tail -n 30 "$kept/build.log"
    exit 1
}
tests=$SWIFTPM_BUILD_DIR/debug/SquallPackageTests.xctest

# The built tests name the folder of their runtime library.
resources=$("$swift" -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
show "$resources" "$resources"
show "${resources%/lib/swift}" /toolchain
show "$root" "$root"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"

echo "Debian $(cat "$system/etc/debian_version"), SQLite $(inside dpkg-query -W -f '${Version}' libsqlite3-0)$(
    inside ldd "$tests" | sed -n 's/.*libsqlite3[^ ]* => \(.*\) (.*/, \1/p')"
status=0
run_tests tests --skip '^SquallTimedTests\.' || status=1
run_tests timed --filter '^SquallTimedTests\.' --no-parallel || status=1
inside "$root/.ci/readme" program > "$kept/readme.log" 2>&1 && echo "The program of the README runs." || {
    tail -n 30 "$kept/readme.log"
    status=1
}
exit $status
