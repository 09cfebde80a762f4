"""A device of a hub over HTTP, by Sync/PROTOCOL.md. It needs Python 3.9, and apsw for SQLite's sessions.

    device = Device("lists.db", "https://example.org/sync", lambda: token, ["lists", "items"])
    with device.transaction() as connection:
        connection.execute("INSERT INTO lists VALUES(?, ?)", (str(uuid.uuid4()), "Shopping"))
    conflicts = device.sync()

All writes are made in transactions of the device. It sends all its changes before it receives those of the hub.
"""
import contextlib
import json
import struct
import urllib.error
import urllib.parse
import urllib.request
import uuid

import apsw

PAGE = 1_000_000
LARGEST_ANSWER = 64_000_000
WINNERS = ["hub", "replica"]
KINDS = ["data", "notFound", "conflict", "constraint", "foreignKey"]


class Refusal(Exception):
    """The hub does not answer: a dictionary with `refusal`, and `hub` or `message`."""


def checksum(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return struct.pack(">Q", value)


def number(value):
    return struct.pack(">q", value)


def length(value):
    data = bytes([value & 0x7F])
    while value := value >> 7:
        data = bytes([value & 0x7F | 0x80]) + data
    return data


def block(data):
    return length(len(data)) + data


def text(value):
    return block(value.encode())


def encoded(value):
    if value is None:
        return b"\5"
    if isinstance(value, int):
        return b"\1" + number(value)
    if isinstance(value, float):
        return b"\2" + struct.pack(">d", value)
    return b"\3" + text(value) if isinstance(value, str) else b"\4" + block(value)


class Reader:
    def __init__(self, data):
        self.data, self.start = data, 0

    def take(self, count):
        if count > len(self.data) - self.start:
            raise ValueError("the bytes are damaged")
        self.start += count
        return self.data[self.start - count : self.start]

    def byte(self):
        return self.take(1)[0]

    def number(self):
        return struct.unpack(">q", self.take(8))[0]

    def length(self):
        value = 0
        while True:
            byte = self.byte()
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value

    def block(self):
        return self.take(self.length())

    def text(self):
        return self.block().decode()

    def value(self):
        kind = self.byte()
        if kind == 2:
            return struct.unpack(">d", self.take(8))[0]
        return {1: self.number, 3: self.text, 4: self.block, 5: lambda: None}[kind]()


def position(log, sequence):
    return f"{urllib.parse.quote(log, safe='')}:{sequence}"


def read_batch(data):
    """Returns the position at the end, and the entries: (origin, next key, changes, conflicts)."""
    if data[:8] != b"SquallS3" or checksum(data[:-8]) != data[-8:]:
        raise ValueError("the bytes are damaged")
    reader = Reader(data[8:-8])
    _, _, _, log = reader.text(), reader.text(), reader.text(), reader.text()
    _, _, end = reader.number(), reader.number(), reader.number()
    for _ in range(reader.length()):
        reader.text()
        for _ in range(reader.length()):
            reader.text(), reader.byte()
    entries = []
    for _ in range(reader.length()):
        _, origin, _, key = reader.number(), reader.text(), reader.number(), reader.value()
        entries.append((origin, key, reader.block(), reader.block()))
    return position(log, end), entries


def changes(changeset):
    """Yields (table, key, old row, new row); None for a row that is not there. Unchanged keys of updates are only in the old row."""
    for change in apsw.Changeset.iter(changeset):
        old, new = change.old, change.new
        if old and new:
            new = tuple(old[i] if value is apsw.no_change else value for i, value in enumerate(new))
        yield change.name, tuple((new or old)[i] for i in sorted(change.pk_columns)), old, new


def conflicts(data):
    reader = Reader(data)
    while reader.start < len(data):
        kind, winner, reason = KINDS[reader.byte()], WINNERS[reader.byte()], reader.text()
        table, _, old, new = next(changes(reader.block()))
        row = tuple(reader.value() for _ in range(reader.length())) or None
        yield {"kind": kind, "winner": winner, "reason": reason, "table": table, "old": old, "new": new, "row": row}


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        """The token is sent to no other address."""


class Device:
    def __init__(self, path, hub, token, tables, version=0):
        self.hub, self.token, self.tables, self.version = hub.rstrip("/"), token, tables, version
        self.opener = urllib.request.build_opener(NoRedirects)
        self.connection = apsw.Connection(path)
        self.connection.execute(
            """CREATE TABLE IF NOT EXISTS sync_state(name TEXT PRIMARY KEY, value);
            CREATE TABLE IF NOT EXISTS sync_log(sequence INTEGER PRIMARY KEY AUTOINCREMENT, changes BLOB)"""
        )
        self.origin = self.state("origin", lambda: str(uuid.uuid4()))
        self.log = self.state("log", lambda: str(uuid.uuid4()))
        self.columns = {}
        for table in tables:
            rows = self.connection.execute("SELECT name, pk > 0 FROM pragma_table_info(?) ORDER BY cid", (table,))
            self.columns[table] = list(rows)

    def state(self, name, initial=lambda: None):
        value = self.connection.execute("SELECT value FROM sync_state WHERE name = ?", (name,)).get
        return value if value is not None else self.set_state(name, initial())

    def set_state(self, name, value):
        self.connection.execute("INSERT OR REPLACE INTO sync_state VALUES(?, ?)", (name, value))
        return value

    def condition(self, table):
        return " AND ".join(f'"{name}" IS ?' for name, is_key in self.columns[table] if is_key)

    @contextlib.contextmanager
    def transaction(self):
        """A transaction whose changes are recorded with it."""
        self.connection.execute("PRAGMA foreign_keys = ON")
        with self.connection:
            session = apsw.Session(self.connection, "main")
            for table in self.tables:
                session.attach(table)
            yield self.connection
            changeset = self.whole(session.changeset())
            session.close()
            if changeset:
                self.connection.execute("INSERT INTO sync_log(changes) VALUES(?)", (changeset,))

    def whole(self, changeset):
        """Returns a changeset whose updates have the values of all columns."""
        data = b""
        for change in apsw.Changeset.iter(changeset):
            table, old, new = change.name, change.old, change.new
            keys = [is_key for _, is_key in self.columns[table]]
            data += b"T" + length(len(keys)) + bytes(keys) + table.encode() + b"\0"
            data += bytes([{"INSERT": 18, "UPDATE": 23, "DELETE": 9}[change.op], 0])
            if old and new:
                key = [old[i] for i, is_key in enumerate(keys) if is_key]
                new = self.connection.execute(f'SELECT * FROM "{table}" WHERE {self.condition(table)}', key).fetchall()[0]
                old = [new[i] if value is apsw.no_change else value for i, value in enumerate(old)]
            data += b"".join(encoded(value) for value in old or ())
            data += b"".join(b"\0" if old and is_key else encoded(value) for value, is_key in zip(new or (), keys))
        return data

    def request(self, route, query=(), body=None):
        headers = {"Authorization": f"Bearer {self.token()}", "Squall-Sync": "1"}
        if body is not None:
            headers["Content-Type"] = "application/octet-stream"
        address = f"{self.hub}/{route}?{urllib.parse.urlencode(query, quote_via=urllib.parse.quote)}"
        try:
            answer = self.opener.open(urllib.request.Request(address, body, headers), timeout=60)
        except urllib.error.HTTPError as error:
            if error.code == 409 and error.headers["Squall-Sync"] == "1":
                raise Refusal(json.load(error)) from None
            raise
        data = answer.read(LARGEST_ANSWER + 1)
        if answer.headers["Squall-Sync"] != "1" or len(data) > LARGEST_ANSWER:
            raise ValueError("the answer is not that of a hub")
        return answer.headers, data

    def query(self, **more):
        return {"origin": self.origin, "version": self.version, "bytes": PAGE, **more}

    def sync(self):
        """Sends and receives, and returns the changes of this device that did not fit those of the hub."""
        local = list(self.connection.execute("SELECT sequence, changes FROM sync_log ORDER BY sequence"))
        if local:
            self.push(local)
        since = self.state("since")
        header, data = self.request("pull", self.query(since=since) if since else self.query())
        begins = header["Squall-Begins"] == "1"
        end, entries = read_batch(data)
        pages = list(self.rows(end)) if begins else []
        more = begins or header["Squall-More"] == "1"
        while more:
            header, data = self.request("pull", self.query(since=end))
            if header["Squall-Begins"] == "1":
                raise ValueError("the log was compacted: begin again")
            end, others = read_batch(data)
            entries, more = entries + others, header["Squall-More"] == "1"
        self.take_over(local, pages, entries, end, begins)
        return [conflict for entry in entries if entry[0] == self.origin for conflict in conflicts(entry[3])]

    def push(self, local):
        data = b"SquallS3" + text("replica") + text(self.origin) + 2 * text(self.log)
        data += number(self.version) + number(local[0][0] - 1) + number(local[-1][0]) + length(len(self.columns))
        for table, columns in self.columns.items():
            data += text(table) + length(len(columns))
            data += b"".join(text(name) + bytes([is_key]) for name, is_key in columns)
        data += length(len(local))
        for sequence, changeset in local:
            data += number(sequence) + text(self.origin) + number(0) + encoded(None) + block(changeset) + block(b"")
        answer = json.loads(self.request("push", body=data + checksum(data))[1])
        if (answer["log"], answer["sequence"]) != (self.log, local[-1][0]):
            raise ValueError("the hub does not have all changes")

    def rows(self, at):
        for table in self.tables:
            key = b""
            while key is not None:
                _, entries = read_batch(self.request("rows", self.query(at=at, table=table), key)[1])
                key = entries[0][1]
                yield from entries

    def take_over(self, local, pages, entries, end, begins):
        """The rows become those of the hub: changes of this device are undone, and those of the hub, which has them all, are made."""
        rows = {}
        for _, changeset in reversed(local):
            for table, key, old, _ in reversed(list(changes(changeset))):
                rows[table, key] = old
        for entry in [*pages, *entries]:
            for table, key, _, new in changes(entry[2]):
                rows[table, key] = new
        # The actions of foreign keys are among the changes of the hub.
        self.connection.execute("PRAGMA foreign_keys = OFF")
        with self.connection:
            for table in self.tables if begins else []:
                self.connection.execute(f'DELETE FROM "{table}"')
            for table, key in rows:
                self.connection.execute(f'DELETE FROM "{table}" WHERE {self.condition(table)}', key)
            for (table, _), row in rows.items():
                if row:
                    self.connection.execute(f'INSERT INTO "{table}" VALUES({", ".join("?" * len(row))})', row)
            self.connection.execute("DELETE FROM sync_log")
            self.set_state("since", end)
