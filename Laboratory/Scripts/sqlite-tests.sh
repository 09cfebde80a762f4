#!/usr/bin/env bash
# Downloads SQLite's own test scripts, from Debian's source package of the installed version, into a folder.
#
#     Laboratory/Scripts/sqlite-tests.sh folder
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
version=$(dpkg-query -W -f '${Version}' libsqlite3-dev)
[ -e "$folder/version" ] && [ "$(cat "$folder/version")" = "$version" ] && exit 0
rm -rf "$folder"
mkdir -p "$folder/parts" "$folder/lists/partial" "$folder/source"
sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources > "$folder/parts/source.sources"
options=(-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$folder/parts" -o Dir::State::Lists="$folder/lists")
apt-get "${options[@]}" update -qq
(cd "$folder" && apt-get "${options[@]}" source -qq --download-only "sqlite3=$version")
tar -xf "$folder"/sqlite3_*.orig.tar.xz -C "$folder/source" --strip-components 1
mv "$folder/source/test" "$folder/test"
echo "$version" > "$folder/version"
