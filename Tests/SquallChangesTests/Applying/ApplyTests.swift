import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

@Suite(.enabled(if: SQLiteFeatures.sessions))
struct ApplyTests {
    private static let schema = """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT UNIQUE, price REAL CHECK (price > 0));
        INSERT INTO cars VALUES(1, 'Audi', 10), (2, 'Fiat', 20), (3, 'Mini', 30);
        """

    private static func cars(_ more: String = "") throws -> Connection {
        let connection = try Connection()
        try connection.execute("\(raw: schema + more)")
        return connection
    }

    private static func rows(_ connection: Connection) throws -> [String] {
        try connection.query("SELECT id || ' ' || name || ' ' || price FROM cars ORDER BY id")
    }

    private static func changes(_ sql: String, schema: String = schema) throws -> Changeset {
        let connection = try Connection()
        try connection.execute("\(raw: schema)")
        return try connection.recordChanges { try $0.execute("\(raw: sql)") }
    }

    @Test func changesAndTheirInverse() throws {
        let changes = try Self.changes(
            "UPDATE cars SET price = 11 WHERE id = 1; DELETE FROM cars WHERE id = 2; INSERT INTO cars VALUES(4, 'Seat', 40)"
        )
        let other = try Self.cars()
        #expect(try other.apply(changes).isEmpty)
        #expect(try Self.rows(other) == ["1 Audi 11.0", "3 Mini 30.0", "4 Seat 40.0"])
        try other.apply(changes.inverted())
        #expect(try Self.rows(other) == Self.rows(Self.cars()))
        try other.apply(changes)
        try other.apply(changes, options: .inverted)
        #expect(try Self.rows(other) == Self.rows(Self.cars()))
    }

    @Test func changesTogetherAreThoseOneAfterTheOther() throws {
        let connection = try Self.cars()
        let first = try connection.recordChanges { try $0.run("UPDATE cars SET price = 11 WHERE id = 1") }
        let second = try connection.recordChanges {
            try $0.execute("UPDATE cars SET price = 12 WHERE id = 1; DELETE FROM cars WHERE id = 2")
        }
        let third = try connection.recordChanges { try $0.run("DELETE FROM cars WHERE id = 1") }
        let all = try first.appending(second, third)
        #expect(
            try Set(all.elements.map(\.description)) == [
                "delete from cars: (id = 1, name = 'Audi', price = 10.0)",
                "delete from cars: (id = 2, name = 'Fiat', price = 20.0)",
            ])
        let other = try Self.cars()
        try other.apply(all)
        #expect(try Self.rows(other) == Self.rows(connection))
        #expect(try Changeset(combining: []).isEmpty)
    }

    /// In every version of SQLite, also those that could exchange the values.
    @Test func updatesToUniqueValuesThatOtherRowsHaveAreConflicts() throws {
        let exchange = try Self.changes(
            """
            UPDATE cars SET name = 'x' WHERE id = 1; UPDATE cars SET name = 'Audi' WHERE id = 2;
            UPDATE cars SET name = 'Fiat' WHERE id = 1
            """)
        let taken = try Self.changes("UPDATE cars SET name = 'Seat' WHERE id = 1")
        let cases: [(Changeset, [Int64])] = [(exchange, [1, 2]), (taken, [1])]
        for (changes, ids) in cases {
            let other = try Self.cars("INSERT INTO cars VALUES(9, 'Seat', 1)")
            var conflicts: [Changeset.Conflict] = []
            try other.apply(changes) {
                conflicts.append($0)
                return .omit
            }
            #expect(conflicts.map(\.kind) == ids.map { _ in .constraint })
            let found: Set<BindingValue?> = Set(conflicts.map { $0.change?.old["id"] })
            #expect(found == Set(ids.map { BindingValue.integer($0) }))
            #expect(try Self.rows(other) == Self.rows(Self.cars("INSERT INTO cars VALUES(9, 'Seat', 1)")))
            #expect(throws: SQLiteError.self) { try other.apply(changes) }
        }
    }

    @Test func conflictsOfEveryKind() throws {
        let changes = try Self.changes(
            """
            UPDATE cars SET price = 11 WHERE id = 1; DELETE FROM cars WHERE id = 2;
            INSERT INTO cars VALUES(4, 'Seat', 40), (5, 'Volvo', 50);
            """)
        let other = try Self.cars(
            "UPDATE cars SET price = 9 WHERE id = 1; DELETE FROM cars WHERE id = 2; INSERT INTO cars VALUES(4, 'x', 1), (6, 'Volvo', 1)"
        )
        var seen: [Changeset.Conflict.Kind: (Changeset.Change?, ChangedValues?)] = [:]
        let resolutions = try other.apply(changes) { conflict in
            seen[conflict.kind] = (conflict.change, conflict.row)
            return conflict.row == nil ? .omit : .replace
        }
        #expect(!resolutions.isEmpty)
        #expect(seen.count == 4)
        #expect(seen[.data]?.0?.new["price"] == .real(11) && seen[.data]?.1?["price"] == .real(9))
        #expect(seen[.notFound]?.0?.old["name"] == .text("Fiat") && seen[.notFound]?.1 == nil)
        #expect(seen[.conflict]?.0?.new["name"] == .text("Seat") && seen[.conflict]?.1?["name"] == .text("x"))
        #expect(seen[.constraint]?.0?.new["name"] == .text("Volvo"))
        #expect(try Self.rows(other) == ["1 Audi 11.0", "3 Mini 30.0", "4 Seat 40.0", "6 Volvo 1.0"])
    }

    @Test func violatedForeignKeys() throws {
        let schema = """
            CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a);
            INSERT INTO a VALUES(1);
            """
        let changes = try Self.changes("INSERT INTO b VALUES(1, 1), (2, 1)", schema: schema)
        let other = try Connection()
        try other.execute("\(raw: schema) PRAGMA foreign_keys = ON; DELETE FROM a;")
        var kinds: [Changeset.Conflict.Kind] = []
        let error = try sqliteError {
            try other.apply(changes) {
                kinds.append($0.kind)
                #expect($0.change == nil)
                return .abort
            }
        }
        #expect(kinds == [.foreignKey])
        #expect(error.kind == .problem(ChangesetProblem.aborted(conflict: "foreignKey")))
        #expect(try other.query("SELECT count(*) FROM b") == 0)
        // Deferred: the parent comes after the children.
        let both = try Changeset(combining: [changes, Self.changes("INSERT INTO a VALUES(2)", schema: schema)])
        try other.run("INSERT INTO a VALUES(1)")
        try other.apply(both)
        #expect(try other.query("SELECT count(*) FROM b") == 2)
        #expect(try other.query("PRAGMA defer_foreign_keys") == 0)
    }

    @Test func aConflictThatIsNotAnsweredUndoesAll() throws {
        let changes = try Self.changes("DELETE FROM cars WHERE id = 3; UPDATE cars SET price = 11 WHERE id = 1")
        let other = try Self.cars("UPDATE cars SET price = 9 WHERE id = 1;")
        let before = try Self.rows(other)
        let error = try sqliteError { try other.apply(changes) }
        #expect(
            error.kind == .problem(ChangesetProblem.aborted(conflict: "data"), of: .table("cars")) && error.code == 4)
        #expect(error.message == "a conflict (data) in cars has ended the changes")
        #expect(throws: CancellationError.self) { try other.apply(changes) { _ in throw CancellationError() } }
        #expect(
            try errorKind { try other.apply(changes.inverted().inverted()) { _ in .abort } }
                == .problem(ChangesetProblem.aborted(conflict: "data"), of: .table("cars")))
        #expect(try Self.rows(other) == before)
        let gone = try Self.cars("DELETE FROM cars;")
        #expect(
            try errorKind { try gone.apply(changes) { _ in .replace } } == .problem(ChangesetProblem.invalidReplace))
    }

    @Test func partsOfATransaction() throws {
        let changes = try Self.changes("DELETE FROM cars WHERE id = 3")
        let other = try Self.cars()
        try? other.transaction {
            try other.apply(changes)
            #expect(try Self.rows(other).count == 2)
            #expect(throws: SQLiteError.self) { try other.apply(changes) }
            #expect(other.isInTransaction)
            throw CancellationError()
        }
        #expect(try Self.rows(other).count == 3)
    }

    @Test func tablesThatDoNotFit() throws {
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let missing = try Connection()
        #expect(
            try errorKind { try missing.apply(changes) } == .problem(ChangesetProblem.missingTable, of: .table("cars")))
        try missing.execute("CREATE VIEW cars AS SELECT 1 AS id, 2 AS name, 3 AS price")
        #expect(
            try errorKind { try missing.apply(changes) } == .problem(ChangesetProblem.missingTable, of: .table("cars")))
        let short = try Connection()
        try short.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name)")
        #expect(
            try errorKind { try short.apply(changes) }
                == .problem(ChangesetProblem.missingColumns(expected: 3, found: 2), of: .table("cars")))
        let keyed = try Connection()
        try keyed.execute("CREATE TABLE cars(id INTEGER, name TEXT PRIMARY KEY, price)")
        #expect(
            try errorKind { try keyed.apply(changes) } == .problem(ChangesetProblem.otherPrimaryKey, of: .table("cars"))
        )
        #expect(try missing.apply(changes, to: { $0 != "cars" }).isEmpty)
    }

    @Test func columnsThatWereAppendedAndRenamed() throws {
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1; INSERT INTO cars VALUES(4, 'Seat', 1)")
        let other = try Self.cars(
            "ALTER TABLE cars ADD COLUMN wheels INTEGER DEFAULT 4; ALTER TABLE cars RENAME name TO model;")
        try other.apply(changes)
        #expect(try other.query("SELECT wheels FROM cars WHERE price IN (11, 1)") == [4, 4])
        #expect(try other.query("SELECT model FROM cars WHERE id = 4") == "Seat")
    }

    @Test func triggersRunUnlessTheyAreLeftOut() throws {
        let log = """
            CREATE TABLE log(id INTEGER PRIMARY KEY, text);
            CREATE TRIGGER t AFTER UPDATE ON cars BEGIN INSERT INTO log(text) VALUES(new.name); END;
            """
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let other = try Self.cars(log)
        try other.apply(changes)
        #expect(try other.query("SELECT text FROM log") == ["Audi"])
        try other.apply(changes, options: [.inverted, .withoutTriggers])
        #expect(try other.query("SELECT count(*) FROM log") == 1)
        try other.run("UPDATE cars SET price = 1")
        #expect(try other.query("SELECT count(*) FROM log") == 4)
    }

    @Test func aCheckThatNeedsAFunction() throws {
        let schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, a CHECK (is_small(a)))"
        let connection = try Connection()
        try connection.addFunction("is_small", deterministic: true, directOnly: false) { (value: Int) in value < 10 }
        try connection.execute("\(raw: schema)")
        let changes = try connection.recordChanges { try $0.run("INSERT INTO t VALUES(1, 2)") }
        let folder = try TemporaryDirectory()
        let path = folder.file("other.db")
        let author = try Connection(storageLocation: .onDisk(path))
        try author.addFunction("is_small", deterministic: true, directOnly: false) { (value: Int) in true }
        try author.execute("\(raw: schema)")
        let other = try Connection(storageLocation: .onDisk(path))
        let error = try sqliteError { try other.apply(changes) }
        #expect(error.message.contains("is_small"), "\(error)")
        try other.addFunction("is_small", deterministic: true, directOnly: false) { (value: Int) -> Bool in
            throw CancellationError()
        }
        #expect(throws: (any Error).self) { try other.apply(changes) }
        try other.addFunction("is_small", deterministic: true, directOnly: false) { (value: Int) in value < 10 }
        try other.apply(changes)
        #expect(try other.query("SELECT a FROM t") == 2)
    }

    @Test func observersSeeTheChangesThatAreApplied() async throws {
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let database = try Database.temporary()
        try await database.write { try $0.execute("\(raw: Self.schema)") }
        var values = database.observe { try $0.query("SELECT price FROM cars WHERE id = 1") as Double? }
            .makeAsyncIterator()
        #expect(try await values.next() == .some(10))
        try await database.write { try $0.apply(changes) }
        #expect(try await values.next() == .some(11))
    }

    @Test func theClosureUsesTheConnectionAndClosesIt() throws {
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let other = try Self.cars("UPDATE cars SET price = 9 WHERE id = 1;")
        try other.apply(changes) { conflict in
            let price: Double = try other.query("SELECT price FROM cars WHERE id = 1")
            #expect(price == 9)
            return .replace
        }
        let closed = try Self.cars("UPDATE cars SET price = 9 WHERE id = 1;")
        #expect(throws: SQLiteError.self) {
            try closed.apply(changes) { _ in
                closed.close()
                return .replace
            }
        }
        #expect(try errorKind { try closed.run("SELECT 1") } == .closed(.connection))
    }

    @Test func aReadCannotApply() throws {
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let database = try Database.temporary()
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: Self.schema)") }
        #expect(try errorKind { _ = try database.blocking.read { try $0.apply(changes) } } == .insideRead(.statement))
    }

    @Test func patchsets() throws {
        let connection = try Self.cars()
        let patch = try connection.recordPatchset(in: "cars") {
            try $0.execute("UPDATE cars SET price = 11 WHERE id = 1; DELETE FROM cars WHERE id = 2")
        }
        #expect(patch.isPatchset)
        let elements = try patch.elements
        #expect(elements.first { $0.operation == .delete }?.old["name"] == nil)
        let other = try Self.cars("UPDATE cars SET price = 9 WHERE id = 1;")
        try other.apply(patch)
        #expect(try Self.rows(other) == ["1 Audi 11.0", "3 Mini 30.0"])
        #expect(try errorKind { _ = try patch.inverted() } == .problem(ChangesetProblem.patchsetInverted))
        #expect(
            try errorKind { try other.apply(patch, options: .inverted) } == .problem(ChangesetProblem.patchsetInverted))
        let changes = try Self.changes("DELETE FROM cars WHERE id = 3")
        #expect(try errorKind { _ = try changes.appending(patch) } == .problem(ChangesetProblem.mixedKinds))
        #expect(try errorKind { _ = try Rebaser().rebased(patch) } == .problem(ChangesetProblem.mixedKinds))
    }

    @Test func localChangesAreRebased() throws {
        let remote = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let connection = try Self.cars()
        let local = try connection.recordChanges {
            try $0.execute("UPDATE cars SET price = 12, name = 'Mine' WHERE id = 1; DELETE FROM cars WHERE id = 2")
        }
        // The remote changes were first: theirs is the base of the local ones.
        let resolutions = try connection.apply(remote) { _ in .omit }
        let rebased = try Rebaser(resolutions).rebased(local)
        let other = try Self.cars()
        try other.apply(remote)
        try other.apply(rebased)
        #expect(try Self.rows(other) == Self.rows(connection))
        #expect(try Rebaser().rebased(local) == local)
    }

    @Test func theDifferenceOfTwoDatabases() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("other.db")
        let other = try Connection(path)
        try other.execute("\(raw: Self.schema) DELETE FROM cars WHERE id = 1; UPDATE cars SET name = 'x' WHERE id = 2")
        let connection = try Self.cars()
        let difference = try connection.difference(from: path, tables: ["cars"])
        #expect(try difference.elements.count == 2)
        try other.apply(difference)
        #expect(try Self.rows(other) == Self.rows(connection))
        #expect(try connection.difference(from: path).isEmpty)
        try other.execute("DROP TABLE cars; CREATE TABLE cars(id INTEGER PRIMARY KEY, other)")
        #expect(
            try errorKind { _ = try connection.difference(from: path) } == .problem(ChangesetProblem.differentTables))
        try other.execute("DROP TABLE cars")
        #expect(
            try errorKind { _ = try connection.difference(from: path) }
                == .problem(RecordingProblem.unknownTable, of: .table("squall_difference.cars")))
        #expect(try sqliteError { _ = try connection.difference(from: path + "x") }.code == 14)
        #expect(try connection.query("SELECT name FROM pragma_database_list") == ["main"])
    }

    /// Rows that are equal for SQLite, by a collation or as numbers, beside one that is not.
    @Test func theDifferenceOfBytes() throws {
        let connection = try Connection()
        try connection.execute(
            """
            ATTACH ':memory:' AS other;
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, data, maker TEXT DEFAULT 'a');
            CREATE TABLE other.cars(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, data, maker TEXT DEFAULT 'a');
            INSERT INTO cars(id, name, data) VALUES(1, 'Audi', 1), (2, 'Saab', 1.0), (3, 'VW', NULL), (4, 'Fiat', 1);
            INSERT INTO other.cars(id, name, data) VALUES(1, 'AUDI', 1), (2, 'Saab', 1), (3, 'VW', NULL), (4, 'FIAT', 2)
            """)
        let difference = try connection.difference(fromAttached: "other")
        #expect(
            try difference.elements.map(\.description).sorted() == [
                "update cars: (id = 1, name = 'AUDI') to (name = 'Audi')",
                "update cars: (id = 2, data = 1) to (data = 1.0)",
                "update cars: (id = 4, name = 'FIAT', data = 2) to (name = 'Fiat', data = 1)",
            ])
    }

    @Test func aFullDisk() throws {
        let changes = try Self.changes("INSERT INTO cars VALUES(9, 'Seat', 1)")
        let many = try Self.changes(
            "WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO cars SELECT i, 'car ' || i, 1 FROM n"
        )
        let other = try Self.cars("PRAGMA max_page_count = 8;")
        try other.apply(changes)
        let before = try Self.rows(other)
        #expect(try sqliteError { try other.apply(many) }.code == 13)
        #expect(try Self.rows(other) == before)
        try other.apply(changes.inverted())
        #expect(try Self.rows(other).count == 3)
    }

    /// SQLite compares the order of the columns in the key, and would leave the table out silently.
    @Test func keysOfAnotherOrder() throws {
        let changes = try Self.changes(
            "INSERT INTO t VALUES(1, 2)", schema: "CREATE TABLE t(x INTEGER, y INTEGER, PRIMARY KEY(x, y));")
        let other = try Connection()
        try other.execute("CREATE TABLE t(x INTEGER, y INTEGER, PRIMARY KEY(y, x))")
        #expect(
            try errorKind { try other.apply(changes) } == .problem(ChangesetProblem.otherPrimaryKey, of: .table("t")))
        try other.execute("DROP TABLE t; CREATE TABLE t(x INTEGER, y INTEGER, PRIMARY KEY(x, y))")
        try other.apply(changes)
        #expect(try other.query("SELECT y FROM t") == 2)
    }

    /// Changes of strangers can spell a name in other letters.
    @Test func theClosureGetsTheNameThatTheTableHasHere() throws {
        let schema = "CREATE TABLE LOG(id INTEGER PRIMARY KEY); CREATE TABLE a(id INTEGER PRIMARY KEY);"
        let changes = try Self.changes("INSERT INTO LOG VALUES(1); INSERT INTO a VALUES(1), (2)", schema: schema)
        let other = try Connection()
        try other.execute("CREATE TABLE log(id INTEGER PRIMARY KEY); CREATE TABLE a(id INTEGER PRIMARY KEY)")
        var names: [String] = []
        try other.apply(
            changes,
            to: {
                names.append($0)
                return $0 != "log"
            })
        #expect(names.sorted() == ["a", "log"])
        #expect(try other.query("SELECT (SELECT count(*) FROM log) || ' ' || (SELECT count(*) FROM a)") == "0 2")
    }

    @Test func anAnswerThatEndsTheTransaction() throws {
        let changes = try Self.changes("UPDATE cars SET price = price + 1; INSERT INTO cars VALUES(4, 'Seat', 4)")
        for sql in ["ROLLBACK", "COMMIT"] as [SQL] {
            let other = try Self.cars("UPDATE cars SET price = 7 WHERE id = 1;")
            let before = try Self.rows(other)
            let error = try sqliteError {
                try other.apply(changes) { _ in
                    try? other.execute(sql)
                    return .omit
                }
            }
            #expect(error.extendedResultCode == .transactionLost)
            #expect(try sql.text == "COMMIT" || Self.rows(other) == before)
            #expect(!other.isInTransaction)
        }
    }

    @Test func aStreamWhoseClosureEndsTheTransaction() throws {
        let changes = try Self.changes("INSERT INTO cars VALUES(4, 'Seat', 4), (5, 'Skoda', 5)")
        let other = try Self.cars()
        let before = try Self.rows(other)
        var parts = [changes.data.prefix(30), changes.data.dropFirst(30)]
        let stream = ChangesetStream {
            if parts.count == 1 { try other.execute("ROLLBACK") }
            return parts.isEmpty ? nil : parts.removeFirst()
        }
        #expect(try sqliteError { try other.apply(stream) }.extendedResultCode == .transactionLost)
        #expect(try Self.rows(other) == before)
        #expect(!other.isInTransaction)
    }

    @Test func rebasingOverOtherColumns() throws {
        let connection = try Self.cars("ALTER TABLE cars ADD COLUMN more TEXT;")
        let remote = try Self.changes("UPDATE cars SET name = 'theirs' WHERE id = 1")
        let local = try connection.recordChanges {
            try $0.run("UPDATE cars SET name = 'mine', more = 'x' WHERE id = 1")
        }
        let resolutions = try connection.apply(remote) { _ in .omit }
        #expect(!resolutions.isEmpty)
        #expect(
            try errorKind { _ = try Rebaser(resolutions).rebased(local) } == .problem(ChangesetProblem.differentTables))
        let patch = Resolutions(Data([0x50, 3, 1, 0, 0, 0x74, 0, 9, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]))
        #expect(try errorKind { _ = try Rebaser(patch).rebased(local) } == .problem(ChangesetProblem.mixedKinds))
    }

    @Test func anUpdateWithoutAKey() throws {
        let other = try Connection()
        try other.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
        let bytes: [UInt8] = [0x54, 2, 1, 0, 0x74, 0, 23, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9]
        #expect(
            try errorKind { try other.apply(Changeset(Data(bytes))) { _ in .omit } }
                == .problem(ChangesetProblem.damaged))
        let invalid: [UInt8] = [0x54, 1, 1, 0xff, 0, 18, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9]
        #expect(
            try errorKind { try other.apply(Changeset(Data(invalid))) { _ in .omit } }
                == .problem(ChangesetProblem.damaged))
    }

    // MARK: Values of the types

    @Test func equalChangesAreEqualValues() throws {
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let same = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let other = try Self.changes("UPDATE cars SET price = 12 WHERE id = 1")
        #expect(Set([changes, same, other]).count == 2)
        let elements = try changes.elements + same.elements + other.elements
        #expect(Set(elements).count == 2)
        #expect(elements[0].new == elements[1].new)
        #expect(elements[0].new != elements[2].new)
        #expect(elements[0].old.hashValue == elements[2].old.hashValue)
    }

    @Test func descriptions() throws {
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        #expect("\(changes)" == "changeset: update cars: (id = 1, price = 10.0) to (price = 11.0)")
        #expect("\(Changeset(Data()))" == "changeset: no changes")
        #expect("\(Changeset(Data([0x54, 1, 2])))" == "a damaged changeset of 3 bytes")
        #expect("\(Changeset(Data([0x50, 1, 2])))" == "a damaged patchset of 3 bytes")
    }

    @Test func resolutionsAreStoredAndReadBack() throws {
        let local = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let remote = try Self.changes("UPDATE cars SET price = 12 WHERE id = 1")
        let connection = try Self.cars()
        try connection.apply(local)
        let resolutions = try connection.apply(remote) { _ in .replace }
        let read = try JSONDecoder().decode([Resolutions].self, from: JSONEncoder().encode([resolutions]))
        #expect(!read[0].isEmpty)
        let rebased = try Rebaser(read).rebased(local)
        #expect(try rebased == Rebaser(resolutions).rebased(local))
        #expect(try rebased != local)
    }

    @Test func withoutAClosureAConflictEndsTheChanges() throws {
        let changes = try Self.changes("UPDATE cars SET price = 11 WHERE id = 1")
        let other = try Self.cars("UPDATE cars SET price = 9 WHERE id = 1;")
        func stream() -> ChangesetStream {
            var rest: Data? = changes.data
            return ChangesetStream {
                defer { rest = nil }
                return rest
            }
        }
        let aborted = SQLiteError.Kind.problem(ChangesetProblem.aborted(conflict: "data"), of: .table("cars"))
        #expect(try errorKind { try other.apply(changes, to: { $0 == "cars" }) } == aborted)
        #expect(try errorKind { try other.apply(stream()) } == aborted)
        #expect(try errorKind { try other.apply(stream(), to: { $0 == "cars" }) } == aborted)
        #expect(try Self.rows(other).first == "1 Audi 9.0")
    }
}
