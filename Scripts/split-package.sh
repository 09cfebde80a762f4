#!/usr/bin/env bash
# Writes a package of a folder of this repository into a repository of its own, so that it can be named by an address.
#
#     Scripts/split-package.sh FOLDER VERSION SQUALL REPOSITORY
#
#     Scripts/split-package.sh Integrations 0.1.0 https://example.com/squall.git ../squall-integrations.git
#
# REPOSITORY is a path or an address to push to; a path without a repository gets a bare one. Its branch `main` is the history of the folder.
# The tag VERSION is a commit on top of it, in which the manifest names Squall by its address SQUALL, from VERSION on, and which has the
# license. The tag VERSION of this repository is what is written.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 4 ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 64; }
folder=$1 version=$2 squall=$3 repository=$4

commit=$(git rev-parse --verify "$version^{commit}")
history=$(git subtree split -q --prefix="$folder" "$commit")
scratch=$(mktemp -d)
trap 'git worktree remove --force "$scratch/package" 2> /dev/null; rm -rf "$scratch"' EXIT

git worktree add --quiet --detach "$scratch/package" "$history"
dependency='name: "Squall", path: ".."'
manifest="$scratch/package/Package.swift"
grep -qF "$dependency" "$manifest" || { echo "$folder/Package.swift does not have $dependency" >&2; exit 1; }
sed -i.before "s|$dependency|url: \"$squall\", from: \"$version\"|" "$manifest"
rm "$manifest.before"
git show "$commit:LICENSE" > "$scratch/package/LICENSE"
git -C "$scratch/package" add --all
git -C "$scratch/package" commit --quiet --message "$version"

case "$repository" in
    *:*) ;;
    *) [ -e "$repository" ] || git init --quiet --bare --initial-branch=main "$repository" ;;
esac
git push --quiet "$repository" "$history:refs/heads/main" "$(git -C "$scratch/package" rev-parse HEAD):refs/tags/$version"
echo "$folder $version: $repository"
