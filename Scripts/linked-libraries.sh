#!/usr/bin/env bash
# Fails unless each program links one SQLite, the one with this name: sqlite3 or sqlcipher (Linux).
#
#     Scripts/linked-libraries.sh NAME PROGRAM…
set -euo pipefail
name=${1:?a name: see the beginning of this script}
shift
for program in "$@"; do
    linked=$(readelf -d "$program" | sed -nE 's/.*\(NEEDED\).*\[lib(sqlite3|sqlcipher)\.so.*/\1/p' | xargs)
    echo "$(basename "$program") links ${linked:-no SQLite}"
    [ "$linked" = "$name" ] || { echo "It should link $name." >&2; exit 1; }
done
