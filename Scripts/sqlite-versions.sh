#!/usr/bin/env bash
# Builds a version of SQLite from Debian's source package, and prints its folder, which has lib and include.
#
#     Scripts/sqlite-versions.sh NAME
#
#     oldest   3.40.1 of Debian 12, the oldest version that Squall supports
#     stable   3.46.1 of Debian 13
#     newest   that of Debian's unstable distribution
#     small    3.40.1 with SQLite's own options, and without what can be left out
#     apple    3.46.1 with the options of Apple's library
#     sqlcipher  SQLCipher 4.6.1 of Debian 13, which is SQLite 3.46.1 with encryption, with the options of `stable`
#     3.53.4   a version that one of the first three names has
#
# The folder is .build/sqlite/VERSION, or .build/sqlite/small, apple and sqlcipher. A finished build is kept: remove the folder for another one,
# and .build/sqlite/newest for a later version. A program that was built for the system's SQLite runs with LD_LIBRARY_PATH=FOLDER/lib,
# and `-Xcc -IFOLDER/include -Xlinker -LFOLDER/lib` build for this one. SQLCipher is there as libsqlcipher, and as libsqlite3.
#
# Requires Debian, a C compiler, make and tclsh, and libssl-dev for SQLCipher. The source comes from the mirror of Debian that apt is configured for; without it,
# the exit code is 69.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
kept=$root/.build/sqlite
name=${1:?a name or a version: see the beginning of this script}
fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}
unavailable() {
    echo "$(basename "$0"): $*" >&2
    exit 69
}

case $name in
    oldest | 3.40.1) suite=bookworm variant=debian link=oldest ;;
    stable | 3.46.1) suite=trixie variant=debian link=stable ;;
    newest | 3.*) suite=sid variant=debian link=newest ;;
    small) suite=bookworm variant=small link=small ;;
    apple) suite=trixie variant=apple link=apple ;;
    sqlcipher) suite=trixie variant=sqlcipher link=sqlcipher ;;
    *) fail "unknown name: $name" ;;
esac

# Prints the folder of a finished build, and ends the script.
finish() {
    local folder
    for folder in "$kept/$name" "$kept/$link"; do
        [ -e "$folder/lib/libsqlite3.so" ] || continue
        folder=$(cd "$folder" && pwd -P)
        case $name in
            3.*) [ "$(basename "$folder")" = "$name" ] || fail "the newest version is $(basename "$folder"), not $name" ;;
        esac
        echo "$folder"
        exit 0
    done
}

finish
mkdir -p "$kept"
# Two calls at the same time build once.
exec 9> "$kept/lock"
flock 9
finish

for program in cc make tclsh apt-get; do
    command -v $program > /dev/null || fail "requires $program"
done
work=$(mktemp -d "$kept/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Prints the mirror of Debian whose lists apt has.
mirror() { apt-get indextargets --format '$(SITE)' | grep -E '/debian/?$' | head -n 1; }

# Makes a folder .build/sqlite/NAME: the amalgamation of a distribution's package, its version, and the options of the package.
fetch() {
    local suite=$1 package=$2 result=$kept/$3 mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    # A new machine has no lists yet, and one without a network gets none.
    [ -n "$(mirror)" ] || $([ "$(id -u)" = 0 ] || echo sudo) apt-get update -qq > /dev/null || true
    mirror=$(mirror) || unavailable "apt has no mirror of Debian"
    rm -rf "$work"/{package,source,result}
    mkdir -p "$work"/{lists/partial,cache/archives/partial,package,source,result}
    echo "deb-src [signed-by=$keyring] $mirror $suite main" > "$work/sources.list"
    # Of a package that is installed, apt would look for the source of that version.
    local apt=(apt-get -qq -o Dir::State::status=/dev/null -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)")
    "${apt[@]}" update && (cd "$work/package" && "${apt[@]}" source --download-only "$package") ||
        unavailable "the source of $package in $suite cannot be fetched from $mirror"
    tar xf "$(ls "$work"/package/*.orig.tar.* | head -n 1)" -C "$work/source" --strip-components=1
    tar xf "$(ls "$work"/package/*.debian.tar.* | head -n 1)" -C "$work/package" debian/rules
    (
        cd "$work/source"
        ./configure --disable-tcl
        # The parser can have a LIMIT of UPDATE and DELETE. The option of the library decides whether it does.
        make sqlite3.c OPTS=-DSQLITE_UDL_CAPABLE_PARSER
    ) > "$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; fail "$package of $suite could not be configured"; }
    cp "$work"/source/{sqlite3.c,sqlite3.h,sqlite3ext.h,VERSION} "$work/result/"
    grep -oE 'DSQLITE_[A-Z0-9_]+(=[0-9]+)?' "$work/package/debian/rules" | sed 's/^DSQLITE_//' | sort -u > "$work/result/options"
    mv "$work/result" "$result"
}

[ -d "$kept/source-$suite" ] || fetch $suite sqlite3 source-$suite
source=$kept/source-$suite
if [ $variant = sqlcipher ]; then
    [ -d "$kept/source-sqlcipher" ] || fetch $suite sqlcipher source-sqlcipher
    source=$kept/source-sqlcipher
fi
version=$(cat "$source/VERSION")
folder=$kept/$version
[ $variant = debian ] || folder=$kept/$variant

case $variant in
    debian | sqlcipher)
        # Those of Debian's package, and what it passes to the configuration.
        mapfile -t options < "$kept/source-$suite/options"
        options+=(ENABLE_FTS4 ENABLE_FTS5 ENABLE_MATH_FUNCTIONS)
        ;;
    small)
        # SQLite leaves FTS5, R*Tree, sessions, the pre-update hook, snapshots, the metadata of columns and mathematical functions
        # out, and allows 32,766 variables, unless an option says otherwise.
        options=(THREADSAFE=2 OMIT_LOAD_EXTENSION)
        ;;
    apple)
        # `PRAGMA compile_options` of iOS 26, as a developer has published it in github.com/groue/GRDB.swift/issues/1874, without SQLite's own
        # defaults. Left out are also the options of Apple's sources (encryption, unfair mutexes), ENABLE_SQLLOG, whose source is not in
        # the amalgamation, and ENABLE_LOCKING_STYLE, which is for the file systems of macOS.
        options=(BUG_COMPATIBLE_20160819 DEFAULT_CACHE_SIZE=128 DEFAULT_CKPTFULLFSYNC DEFAULT_JOURNAL_SIZE_LIMIT=32768
            DEFAULT_LOOKASIDE=1200,40 DEFAULT_MEMSTATUS=0 DEFAULT_WAL_SYNCHRONOUS=1 DIRECT_OVERFLOW_READ DQS=3
            ENABLE_API_ARMOR ENABLE_BYTECODE_VTAB ENABLE_COLUMN_METADATA ENABLE_DBSTAT_VTAB ENABLE_FTS3
            ENABLE_FTS3_PARENTHESIS ENABLE_FTS3_TOKENIZER ENABLE_FTS4 ENABLE_FTS5 ENABLE_MATH_FUNCTIONS ENABLE_NORMALIZE
            ENABLE_PREUPDATE_HOOK ENABLE_RTREE ENABLE_SESSION ENABLE_SETLK_TIMEOUT ENABLE_SNAPSHOT
            ENABLE_STMT_SCANSTATUS ENABLE_UNKNOWN_SQL_FUNCTION ENABLE_UPDATE_DELETE_LIMIT MAX_DEFAULT_PAGE_SIZE=8192
            MAX_LENGTH=2147483645 MAX_MMAP_SIZE=20971520 MAX_VARIABLE_NUMBER=500000 OMIT_AUTORESET OMIT_LOAD_EXTENSION
            STMTJRNL_SPILL=131072 SUBSTR_COMPATIBILITY THREADSAFE=2 USE_URI)
        ;;
esac

flags=(-O2 -fPIC -D_GNU_SOURCE -DHAVE_ISNAN "${options[@]/#/-DSQLITE_}")
libraries=(-lm -ldl -lpthread)
names=(libsqlite3.so.0)
if [ $variant = sqlcipher ]; then
    # Temporary data stays in memory, where it is not encrypted.
    flags+=(-include stdint.h -DNDEBUG -DSQLITE_HAS_CODEC -DSQLITE_TEMP_STORE=2 -DSQLCIPHER_CRYPTO_OPENSSL)
    # Later versions are initialised by SQLite.
    ! grep -q sqlcipher_extra_init "$source/sqlite3.c" ||
        flags+=(-DSQLITE_EXTRA_INIT=sqlcipher_extra_init -DSQLITE_EXTRA_SHUTDOWN=sqlcipher_extra_shutdown)
    libraries+=(-lcrypto)
    names+=(libsqlcipher.so.1)
fi

built=$work/built
mkdir -p "$built"/{lib,include}
cp "$source"/{sqlite3.h,sqlite3ext.h} "$built/include/"
cc "${flags[@]}" -c "$source/sqlite3.c" -o "$work/sqlite3.o"
for library in "${names[@]}"; do
    cc -shared "$work/sqlite3.o" -o "$built/lib/$library" "-Wl,-soname,$library,--no-undefined" "${libraries[@]}"
    ln -s "$library" "$built/lib/${library%.[0-9]}"
done
rm -rf "$folder"
mv "$built" "$folder"
[ "$(basename "$folder")" = $link ] || ln -sfn "$(basename "$folder")" "$kept/$link"
finish
