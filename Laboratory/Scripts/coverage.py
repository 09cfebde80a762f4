"""Prints the coverage of lines, folder by folder, and the files with the most lines that were not run."""

import collections
import json
import sys

REQUIRED = 95.0

files = json.load(sys.stdin)["data"][0]["files"]
folders = collections.defaultdict(lambda: [0, 0])
missed = []
for file in files:
    path = file["filename"].split("/Sources/", 1)[-1]
    lines = file["summary"]["lines"]
    for key in ("/".join(path.split("/")[:2]), "all"):
        folders[key][0] += lines["count"]
        folders[key][1] += lines["covered"]
    missed.append((lines["count"] - lines["covered"], path))
print("| Folder | Lines | Run | % |\n|---|---|---|---|")
for folder, (count, covered) in sorted(folders.items()):
    print(f"| {folder} | {count} | {covered} | {100 * covered / max(1, count):.1f} |")
for count, path in sorted(missed, reverse=True)[:30]:
    print(f"{count:6} lines not run: {path}")
count, covered = folders["all"]
if count == 0:
    sys.exit("no lines: the data of the run is missing")
sys.exit(0 if covered * 100 >= REQUIRED * count else 1)
