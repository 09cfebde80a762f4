import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Changesets in parts, and bytes that are not changesets.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct ChangesetBytesTests {
    private static func changes(_ count: Int = 300, seed: Int = 1) throws -> (Connection, Changeset) {
        let connection = try RandomHistoryTests.connection()
        var random = SeededGenerator(seed: seed)
        try RandomHistoryTests.change(connection, 30, &random)
        let before = try RandomHistoryTests.connection()
        let bytes = try connection.serialize()
        try before.deserialize(bytes)
        let changes = try connection.recordChanges { connection in
            try RandomHistoryTests.change(connection, count, &random)
            try connection.run(
                "INSERT INTO a SELECT value + 100, hex(zeroblob(50)), zeroblob(200), 1, 2 FROM json_each('[1,2,3,4,5,6,7,8,9]')"
            )
        }
        return (before, changes)
    }

    /// A stream of parts of a few bytes.
    private static func stream(_ data: Data, _ count: Int = 7) -> ChangesetStream {
        var rest = data
        return ChangesetStream {
            defer { rest = Data(rest.dropFirst(count)) }
            return rest.isEmpty ? nil : rest.prefix(count)
        }
    }

    @Test(arguments: [1, 7, 1000, 1_000_000]) func streams(_ size: Int) throws {
        let (before, changes) = try Self.changes()
        var elements: [String] = []
        try Self.stream(changes.data, size).forEach { elements.append("\($0.operation) \($0.table) \($0.new.count)") }
        #expect(try elements == changes.elements.map { "\($0.operation) \($0.table) \($0.new.count)" })
        let start = try RandomHistoryTests.dump(before)
        var inverted = Data()
        try Self.stream(changes.data, size).invert { inverted += $0 }
        #expect(try inverted == changes.inverted().data)
        #expect(try before.apply(Self.stream(changes.data, size)).isEmpty)
        #expect(try RandomHistoryTests.dump(before) != start)
        try before.apply(Self.stream(inverted, size))
        #expect(try RandomHistoryTests.dump(before) == start)
        try before.apply(Self.stream(changes.data, size), to: { $0 == "a" })
        try before.apply(Self.stream(changes.data, size), to: { $0 == "a" }, options: .inverted)
        #expect(try RandomHistoryTests.dump(before) == start)
    }

    @Test func recordedChangesAreWrittenInParts() throws {
        let connection = try RandomHistoryTests.connection()
        let recorder = try connection.startRecording()
        try connection.run(
            "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO a SELECT i, 'text', x'00', 1.5, i FROM n"
        )
        var (changes, patch, parts) = (Data(), Data(), 0)
        try recorder.writeChangeset {
            changes += $0
            parts += 1
        }
        try recorder.writePatchset { patch += $0 }
        #expect(try changes == recorder.changeset().data && patch == recorder.patchset().data)
        #expect(parts > 10)
        #expect(throws: CancellationError.self) { try recorder.writeChangeset { _ in throw CancellationError() } }
    }

    @Test func errorsOfStreams() throws {
        let (before, changes) = try Self.changes()
        let start = try RandomHistoryTests.dump(before)
        var count = 0
        let failing = ChangesetStream {
            count += 1
            if count > 2 { throw CancellationError() }
            return changes.data.prefix(500 * count).dropFirst(500 * (count - 1))
        }
        #expect(throws: CancellationError.self) { try before.apply(failing) }
        #expect(throws: CancellationError.self) { try failing.forEach { _ in } }
        #expect(throws: CancellationError.self) {
            try Self.stream(changes.data).invert { _ in throw CancellationError() }
        }
        #expect(throws: CancellationError.self) {
            try Self.stream(changes.data).forEach { _ in throw CancellationError() }
        }
        let cut = Self.stream(changes.data.dropLast(3))
        #expect(try errorKind { try before.apply(cut) } == .problem(ChangesetProblem.damaged))
        #expect(try RandomHistoryTests.dump(before) == start)
        let patch = try before.recordPatchset { try $0.run("INSERT INTO a(id) VALUES(77)") }
        #expect(
            try errorKind { try Self.stream(patch.data).invert { _ in } } == .problem(ChangesetProblem.patchsetInverted)
        )
        let missing = try Connection()
        #expect(
            try errorKind { try missing.apply(Self.stream(changes.data)) }
                == .problem(ChangesetProblem.missingTable, of: .table(changes.elements[0].table)))
    }

    /// SQLite read beyond the values of the table with fewer columns.
    @Test(arguments: ["t", "T"], [[UInt8]([1, 0]), [0], [1, 0, 0]]) func tablesOfOneNameHaveTheSameColumns(
        _ name: String, _ keys: [UInt8]
    ) throws {
        func table(_ name: String, _ keys: [UInt8]) -> [UInt8] {
            let insert = [18, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7] + [UInt8](repeating: 5, count: keys.count - 1)
            return [UInt8(ascii: "T"), UInt8(keys.count)] + keys + Array(name.utf8) + [0] + insert
        }
        let between = table("u", [1])
        for middle in [[], between] {
            let data = Data(table("t", [1]) + middle + table(name, keys))
            let changes = Changeset(data)
            let intact = Changeset(Data(table("t", [1])))
            let connection = try Connection()
            try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY); CREATE TABLE u(a INTEGER PRIMARY KEY)")
            let uses: [() throws -> Void] = [
                { _ = try changes.elements }, { _ = try changes.inverted() }, { _ = try changes.appending(intact) },
                { _ = try intact.appending(changes) }, { _ = try Rebaser().rebased(changes) },
                { _ = try Rebaser(Resolutions(data)).rebased(intact) }, { try connection.apply(changes) },
                { try connection.apply(Self.stream(data)) }, { try Self.stream(data).forEach { _ in } },
            ]
            for use in uses { #expect(try errorKind(use) == .problem(ChangesetProblem.damaged)) }
            #expect(try connection.query("SELECT (SELECT count(*) FROM t) + (SELECT count(*) FROM u)") == 0)
        }
    }

    /// A typed error or a result, and never a crash: every length, and bytes that are changed.
    @Test(arguments: 0..<8) func damagedBytes(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let (before, changes) = try Self.changes(12, seed: seed)
        let start = try RandomHistoryTests.dump(before)
        for round in 0..<Rounds.of(300) {
            var data = changes.data
            if round.isMultiple(of: 5) { data = data.prefix(Int.random(in: 0...data.count, using: &random)) }
            for _ in 0..<Int.random(in: 1...4, using: &random) where !data.isEmpty {
                let place = Int.random(in: 0..<data.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: data[place] = UInt8.random(in: 0...255, using: &random)
                case 1: data[place] = [0, 1, 0x7f, 0x80, 0xff, 9, 18, 23, 84].randomElement(using: &random) ?? 0
                case 2: data.remove(at: place)
                default: data.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
                // The indexes of a slice begin elsewhere.
                data = Data(data)
            }
            let changed = Changeset(data)
            for use in [
                { _ = try changed.elements }, { _ = try changed.inverted() }, { _ = try changed.appending(changes) },
                { _ = try Rebaser(Resolutions(data)).rebased(changes) }, { _ = try Rebaser().rebased(changed) },
                { try Self.stream(data, 5).forEach { _ in } }, { try Self.stream(data, 3).invert { _ in } },
            ] as [() throws -> Void] {
                do { try use() } catch { #expect(error is SQLiteError, "seed \(seed), round \(round)") }
            }
            do {
                try before.transaction {
                    try before.apply(round.isMultiple(of: 2) ? changed : changes.appending(changed)) { conflict in
                        conflict.row == nil ? .omit : .replace
                    }
                    try before.apply(Self.stream(data, 11)) { _ in .omit }
                    throw CancellationError()
                }
            } catch { #expect(error is SQLiteError || error is CancellationError, "seed \(seed), round \(round)") }
            #expect(try RandomHistoryTests.dump(before) == start, "seed \(seed), round \(round)")
        }
    }

    /// SQLite reads a NULL in a primary key as a text, beyond the end of the bytes.
    @Test func keysThatAreNull() throws {
        let header: [UInt8] = [0x54, 2, 0, 1, 0x74, 0]
        for change: [UInt8] in [
            [18, 0, 5, 5], [18, 0, 5, 0], [9, 0, 5, 5], [23, 0, 5, 5, 5, 5], [23, 0, 5, 0, 0, 0],
        ] {
            let changes = Changeset(Data(header + change))
            #expect(try errorKind { _ = try changes.inverted() } == .problem(ChangesetProblem.damaged))
            #expect(
                try errorKind { _ = try Rebaser(Resolutions(changes.data)).rebased(changes) }
                    == .problem(ChangesetProblem.damaged))
            #expect(try errorKind { _ = try changes.appending(changes) } == .problem(ChangesetProblem.damaged))
        }
        let patch = Changeset(Data([0x50, 2, 0, 1, 0x74, 0, 9, 0, 5]))
        #expect(try errorKind { _ = try patch.appending(patch) } == .problem(ChangesetProblem.damaged))
    }

    @Test func tablesOfSQLiteAreNotChanged() throws {
        let connection = try RandomHistoryTests.connection("CREATE TABLE auto(id INTEGER PRIMARY KEY AUTOINCREMENT);")
        // A changeset that inserts into `sqlite_master`, whose primary key it pretends to know.
        for name in ["sqlite_master", "sqlite_schema", "sqlite_sequence", "SQLITE_MASTER"] {
            var bytes: [UInt8] = [0x54, 2, 1, 0]
            bytes += Array(name.utf8) + [0]
            bytes += [18, 0, 3, 1, 0x61, 3, 1, 0x62]
            #expect(
                try errorKind { try connection.apply(Changeset(Data(bytes))) { _ in .replace } }
                    == .problem(ChangesetProblem.missingTable, of: .table(name)))
        }
    }

    @Test func aDamagedStreamIsAnErrorInEveryUse() throws {
        let (before, changes) = try Self.changes(12)
        let start = try RandomHistoryTests.dump(before)
        var damaged = changes.data
        // The first byte marks a table.
        damaged[damaged.startIndex] = 1
        #expect(try errorKind { try Self.stream(damaged).forEach { _ in } } == .problem(ChangesetProblem.damaged))
        #expect(try errorKind { try before.apply(Self.stream(damaged)) } == .problem(ChangesetProblem.damaged))
        #expect(try RandomHistoryTests.dump(before) == start)
    }
}
