import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// Other ways to write beside a followed log.
extension HostileFollowTests {
    @Test func aTransactionInWhichRecordingEndsIsWholeOrAbsent() async throws {
        let database = try await makeDatabase()
        var followed: FollowedLog? = try await follow(database)
        let log = try #require(followed?.log)
        let value = try #require(followed)
        try await database.write { connection in
            try connection.run("INSERT INTO lists VALUES('a', 'a', 1)")
            value.stop()
            try connection.run("INSERT INTO lists VALUES('b', 'b', 1)")
        }
        followed = nil
        let counts = try await database.read { try log.changes(on: $0) }.changesets.map { try $0.elements.count }
        #expect(counts == [] || counts == [2])
    }

    @Test func aDatabaseThatIsReadOnlyIsNotFollowed() async throws {
        let directory = try TemporaryDirectory()
        try await makeDatabase(directory.file("a.db")).close()
        let database = try Database(directory.file("a.db"), mode: .readOnly)
        await #expect(throws: SQLiteError.self) { _ = try await follow(database) }
    }

    @Test func aCommitThatIsRefusedIsNotInTheLog() async throws {
        let database = try await makeDatabase()
        let followed = try await follow(database)
        let token = database.addCommitObserver { false }
        let refused = Shared(false)
        let second = database.addCommitObserver { refused.value }
        try await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        refused.update { $0 = true }
        await #expect(throws: SQLiteError.self) {
            try await database.write { try $0.run("INSERT INTO lists VALUES('b', 'b', 1)") }
        }
        await #expect(throws: SQLiteError.self) {
            try await database.writeWithoutTransaction { try $0.run("INSERT INTO lists VALUES('c', 'c', 1)") }
        }
        refused.update { $0 = false }
        try await database.write { try $0.run("INSERT INTO lists VALUES('d', 'd', 1)") }
        token.cancel()
        second.cancel()
        try await expectComplete(followed)
    }

    @Test func spellingsOfCommit() async throws {
        let followed = try await follow(makeDatabase())
        try await followed.database.writeWithoutTransaction { connection in
            for (index, end) in ["/* c */ COMMIT", "-- c\nend", "; COMMIT TRANSACTION", "RELEASE s; END TRANSACTION"]
                .enumerated()
            {
                try connection.execute(
                    "BEGIN; SAVEPOINT s; INSERT INTO lists VALUES(\(index), \(index), 1)")
                try connection.execute("\(raw: end)")
            }
            try connection.execute("BEGIN; INSERT INTO lists VALUES('x', 'x', 1)")
            _ = try connection.query("EXPLAIN COMMIT", as: Row.self)
            try connection.execute("DELETE FROM lists WHERE id = 'x'; COMMIT")
        }
        try await expectComplete(followed)
        let count = try await followed.database.read { try followed.log.changes(on: $0) }.count
        #expect(count == 4)
    }

    @Test func errorsThatRollBack() async throws {
        for role in [SyncLog.Role.replica, .peer] {
            let followed = try await follow(makeDatabase(), role)
            try await followed.database.writeWithoutTransaction { connection in
                try connection.execute(
                    """
                    CREATE TRIGGER refusing BEFORE INSERT ON items WHEN new.at = 13 BEGIN SELECT RAISE(ROLLBACK, 'no'); END;
                    INSERT INTO lists VALUES('a', 'a', 1);
                    """)
                for sql: SQL in [
                    "INSERT OR ROLLBACK INTO lists VALUES('b', 'a', 1)", "INSERT INTO items VALUES(2, 'a', 13)",
                    "INSERT OR FAIL INTO lists VALUES('e', 'e', 1), ('f', 'a', 1)",
                    "INSERT OR IGNORE INTO lists VALUES('g', 'g', 1), ('f', 'a', 1)",
                ] {
                    try? connection.run(sql)
                    try connection.execute("BEGIN; UPDATE lists SET at = at + 1")
                    try? connection.run(sql)
                    try connection.execute(
                        "UPDATE lists SET name = name || 'x'; INSERT OR IGNORE INTO items VALUES(99, 'a', 1)")
                    if connection.isInTransaction { try connection.run("COMMIT") }
                }
            }
            try await expectComplete(followed)
        }
    }

    @Test func aFullDisk() async throws {
        for limit in 0..<12 {
            let directory = try TemporaryDirectory()
            let followed = try await follow(makeDatabase(directory.file("a.db")), limit % 2 == 0 ? .replica : .peer)
            let pages: Int = try await followed.database.read { try $0.query("PRAGMA page_count") }
            try await followed.database.writeWithoutTransaction { connection in
                try connection.execute("PRAGMA max_page_count = \(raw: String(pages + limit))")
                for step in 0..<12 {
                    try? connection.transaction {
                        try connection.run(
                            "INSERT INTO lists VALUES(\(step), \(step) || hex(zeroblob(1500)), \(step))")
                        try? connection.run("UPDATE lists SET at = at + 100")
                    }
                    try? connection.run("INSERT INTO lists VALUES('x' || \(step), \(step), \(step))")
                    try? connection.run("DELETE FROM lists WHERE at % 5 = 3")
                }
                try connection.execute("PRAGMA max_page_count = 100000")
            }
            try await expectComplete(followed)
        }
    }

    @Test func valuesOfAllKinds() async throws {
        for role in [SyncLog.Role.replica, .peer] {
            let followed = try await follow(makeDatabase(), role)
            try await followed.database.write { connection in
                try connection.execute(
                    """
                    INSERT INTO lists VALUES(CAST(x'61ff' AS TEXT), CAST(x'ff00' AS TEXT), 1.5), (x'61', x'', 9e999),
                        ('a', 'a' || char(0) || 'b', -9223372036854775808), ('', '', 'text'), (NULL, 'null', 1);
                    """)
            }
            try await followed.database.write { connection in
                try connection.execute(
                    "UPDATE lists SET id = 'was' WHERE id IS NULL; UPDATE lists SET id = x'62' WHERE id = 'a'; UPDATE lists SET name = NULL, at = -0.0"
                )
            }
            try await followed.database.write { connection in
                try connection.execute("UPDATE lists SET id = NULL WHERE id = 'was'")
                try connection.execute("DELETE FROM lists WHERE id IS NULL")
            }
            try await expectComplete(followed)
        }
    }

    @Test func valuesWrittenInParts() async throws {
        let followed = try await follow(makeDatabase())
        try await followed.database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', zeroblob(100))") }
        try await followed.database.write { connection in
            try connection.withBlob(in: "lists", column: "at", row: 1, mode: .readWrite) {
                try $0.write(Data([1, 2, 3]), at: 10)
            }
        }
        try await expectComplete(followed)
        try await followed.database.writeWithoutTransaction { connection in
            try connection.withBlob(in: "lists", column: "at", row: 1, mode: .readWrite) {
                try $0.write(Data([4, 5, 6]), at: 10)
            }
        }
        try await expectComplete(followed)
    }

    @Test func aTableThatIsMadeAgain() async throws {
        let followed = try await follow(makeDatabase())
        try await followed.database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        try await followed.database.writeWithoutTransaction { connection in
            try connection.execute("VACUUM; REINDEX; ANALYZE")
            try connection.execute(
                """
                BEGIN; CREATE TABLE new(id TEXT PRIMARY KEY, name TEXT UNIQUE, at INTEGER);
                INSERT INTO new SELECT * FROM lists; PRAGMA defer_foreign_keys = ON; DROP TABLE lists; ALTER TABLE new RENAME TO lists;
                INSERT INTO lists VALUES('b', 'b', 2); COMMIT;
                """)
            try connection.run("UPDATE lists SET at = 5 WHERE id = 'a'")
        }
        try await expectComplete(followed)
    }

    @Test func temporaryTablesOfTheSameNames() async throws {
        let followed = try await follow(makeDatabase())
        try await followed.database.write { connection in
            try connection.execute(
                """
                CREATE TEMP TABLE lists(id TEXT PRIMARY KEY, other); CREATE TEMP TABLE squall_sync_log(x);
                CREATE TEMP TABLE squall_sync_state(x);
                INSERT INTO lists VALUES('t', 1); INSERT INTO main.lists VALUES('a', 'a', 1);
                UPDATE main.lists SET at = 2; DELETE FROM lists;
                """)
        }
        try await followed.database.write {
            try $0.execute("DROP TABLE temp.lists; INSERT INTO lists VALUES('b', 'b', 1)")
        }
        try await expectComplete(followed)
    }

    @Test func attachedTablesOfTheSameNames() async throws {
        let followed = try await follow(makeDatabase())
        try await followed.database.writeWithoutTransaction { connection in
            try connection.execute(
                """
                ATTACH ':memory:' AS other; CREATE TABLE other.lists(id TEXT PRIMARY KEY, name, at);
                INSERT INTO other.lists VALUES('o', 'o', 1);
                BEGIN; INSERT INTO other.lists VALUES('p', 'p', 1); INSERT INTO lists SELECT * FROM other.lists; COMMIT;
                UPDATE other.lists SET at = 2; DELETE FROM main.lists WHERE id = 'o'; DETACH other
                """)
        }
        try await expectComplete(followed)
    }

    @Test func aLogIsOpenedAgain() async throws {
        let directory = try TemporaryDirectory()
        for round in 0..<3 {
            let database: Database
            if round == 0 {
                database = try await makeDatabase(directory.file("a.db"))
            } else {
                database = try Database(directory.file("a.db"))
            }
            let followed = try await follow(database)
            try await database.write { try $0.run("INSERT INTO lists VALUES(\(round), \(round), 1)") }
            try await expectComplete(followed)
            try await database.close()
        }
    }

    @Test func undoBesideALog() async throws {
        let database = try await makeDatabase()
        let history = try await UndoHistory(database, tables: ["lists"])
        let followed = try await follow(database)
        let batch = try batch()
        try await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        try await database.writeWithoutTransaction { try $0.run("INSERT INTO lists VALUES('b', 'b', 1)") }
        try await database.write { try $0.run("UPDATE lists SET at = 7 WHERE id = 'a'") }
        try await database.write(isolated: true) { connection in
            try followed.log.merge(batch, on: connection)
            try connection.run("UPDATE lists SET at = 8 WHERE id = 'b'")
        }
        for _ in 0..<3 { try await history.undo() }
        try await history.redo()
        for _ in 0..<2 { try await history.undo() }
        try await followed.flush()
        let rows: [String] = try await database.read { try $0.query("SELECT id FROM lists") }
        #expect(rows == ["h"])
        let entries = try await database.read { try followed.log.changes(on: $0) }
        let hub = try SyncReplica("hub", role: .hub, schema: Self.schemaText, tables: Self.tables(.hub))
        try hub.merge(entries)
        #expect(try hub.rows("lists") == [])
    }

    @Test func aRollbackJournalWithAnotherReader() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        let database = try await makeDatabase(path)
        try await database.writeWithoutTransaction { try $0.execute("PRAGMA journal_mode = DELETE") }
        let followed = try await follow(database)
        let reader = try Connection(path)
        try reader.execute("PRAGMA journal_mode = DELETE; BEGIN")
        #expect(try reader.query("SELECT count(*) FROM lists") == 0)
        _ = try? await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        _ = try? await database.writeWithoutTransaction { try $0.run("INSERT INTO lists VALUES('b', 'b', 1)") }
        try reader.run("COMMIT")
        try await database.write { try $0.run("INSERT INTO lists VALUES('c', 'c', 1)") }
        try await expectComplete(followed)
    }

    @Test func statementsInsideOthers() async throws {
        let followed = try await follow(makeDatabase())
        try await followed.database.writeWithoutTransaction { connection in
            try connection.run("INSERT INTO lists VALUES('a', 'a', 1), ('b', 'b', 2), ('c', 'c', 3)")
            try connection.forEach("SELECT rowid, id FROM lists") { row in
                let (number, id): (Int, String) = (try row.get(0), try row.get(1))
                try connection.run("INSERT INTO items VALUES(\(number), \(id), 1)")
                try connection.run("UPDATE items SET at = at + 1 RETURNING id")
                try connection.transaction { try connection.run("UPDATE items SET at = at * 2") }
                try? connection.transaction {
                    try connection.run("DELETE FROM items")
                    throw CancellationError()
                }
            }
            try connection.addFunction("adds") { [unowned connection] (number: Int) in
                try connection.run("INSERT INTO items VALUES(\(number), NULL, 7)")
                return number
            }
            #expect(try connection.query("SELECT adds(10) + adds(11)") == 21)
            try? connection.run("UPDATE lists SET at = adds(rowid + 20)")
        }
        try await expectComplete(followed)
    }

    @Test
    func aBackupIntoTheDatabase() async throws {
        let database = try await makeDatabase()
        let followed = try await follow(database)
        try await database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        let bytes = try await database.writeWithoutTransaction { try $0.serialize() }
        try await database.write { try $0.run("INSERT INTO lists VALUES('b', 'b', 1)") }
        try await database.writeWithoutTransaction { connection in
            try connection.run("INSERT INTO lists VALUES('c', 'c', 1)")
            try connection.deserialize(bytes)
        }
        try await expectComplete(followed)
        try await database.write { try $0.run("INSERT INTO lists VALUES('d', 'd', 1)") }
        try await expectComplete(followed)
    }

    @Test
    func commitsFailAfterAMigrationOfTheLog() async throws {
        let followed = try await follow(makeDatabase())
        try await followed.database.write { try $0.run("INSERT INTO lists VALUES('a', 'a', 1)") }
        try await followed.database.write {
            try SyncLog.migrate("lists", to: 1, columns: ["name": "upper(name)"], on: $0)
        }
        await #expect(throws: SQLiteError.self) {
            try await followed.database.write { try $0.run("INSERT INTO lists VALUES('b', 'b', 1)") }
        }
    }

    @Test
    func aSecondLogWithMoreTablesRecordsThem() async throws {
        let database = try await makeDatabase()
        let followed = try await SyncLog.follow(
            database, origin: "device", role: .replica, tables: ["lists": .hubWins])
        let log = try await database.write {
            try SyncLog($0, origin: "device", role: .replica, tables: Self.tables(.replica))
        }
        try await database.write { connection in
            try log.record(on: connection) { try $0.run("INSERT INTO items VALUES(1, NULL, 1)") }
        }
        #expect(try await database.read { try log.changes(on: $0) }.count == 1)
        followed.stop()
    }
}
