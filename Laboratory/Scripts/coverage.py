"""Prints the coverage of lines, folder by folder, and the files with lines that no test runs, with the reasons in Coverage.txt.

Fails below 95 percent, if a file has more lines that were not run than are explained, and for a reason of a file that does not exist.
"""

import collections
import json
import pathlib
import sys

REQUIRED = 95.0

laboratory = pathlib.Path(__file__).parent.parent
reasons = {}
for line in (laboratory / "Coverage.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        path, count, reason = line.split(" | ", 2)
        reasons[path] = (int(count), reason)

files = json.load(sys.stdin)["data"][0]["files"]
folders = collections.defaultdict(lambda: [0, 0])
missed = []
for file in files:
    path = file["filename"].split("/Sources/", 1)[-1]
    lines = file["summary"]["lines"]
    for key in ("/".join(path.split("/")[:2]), "all"):
        folders[key][0] += lines["count"]
        folders[key][1] += lines["covered"]
    if lines["count"] > lines["covered"]:
        missed.append((lines["count"] - lines["covered"], path))
print("| Folder | Lines | Run | % |\n|---|---|---|---|")
for folder, (count, covered) in sorted(folders.items()):
    print(f"| {folder} | {count} | {covered} | {100 * covered / max(1, count):.1f} |")
unexplained = 0
for count, path in sorted(missed, reverse=True):
    known, reason = reasons.get(path, (0, "NOT EXPLAINED"))
    if count > known:
        unexplained += count - known
        reason = f"NOT EXPLAINED: {count - known} of them. {reason}" if known else reason
    print(f"{count:6} lines not run: {path}: {reason}")
count, covered = folders["all"]
if count == 0:
    sys.exit("no lines: the data of the run is missing")
moved = [path for path in reasons if not (laboratory.parent / "Sources" / path).exists()]
for path in moved:
    print(f"Coverage.txt has a reason for {path}, which does not exist")
print(f"coverage: {count} lines, {100 * covered / count:.1f} %, {unexplained} lines not run without a reason")
sys.exit(0 if covered * 100 >= REQUIRED * count and unexplained == 0 and not moved else 1)
