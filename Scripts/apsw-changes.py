# Runs histories with apsw, which has SQLite's session extension, and prints the changeset of each in hexadecimal digits.
# The tests compare them with Squall's: see ApswHistoryTests.
#
#     python3 Scripts/apsw-changes.py histories.json
#
# A history is a list of two scripts: what is before the recording, and what is recorded.
import json
import sys

import apsw

for before, recorded in json.load(open(sys.argv[1])):
    connection = apsw.Connection(":memory:")
    connection.execute(before)
    session = apsw.Session(connection, "main")
    session.attach()
    connection.execute(recorded)
    print(session.changeset().hex())
