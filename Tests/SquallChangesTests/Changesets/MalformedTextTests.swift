import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// TEXT that is not valid UTF-8, in keys, values and stamps, is the same TEXT wherever it is recorded, exchanged or copied.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct MalformedTextTests {
    private static let schema = """
        CREATE TABLE notes(k TEXT PRIMARY KEY NOT NULL, v, at);
        CREATE TABLE strict(k TEXT PRIMARY KEY NOT NULL, v TEXT, at ANY) STRICT, WITHOUT ROWID;
        """
    private static let tables = ["notes", "strict"]

    /// A table's rows by their keys, in SQL that shows bytes and storage classes.
    private typealias Model = [String: [String: String]]

    private static func rows(_ connection: Connection) throws -> Model {
        var model: Model = [:]
        for table in tables {
            model[table] = [:]
            try connection.forEach(
                "SELECT typeof(k) || hex(k), typeof(v) || hex(v) FROM \(name: table)"
            ) { row in
                let (key, value): (String, String) = (try row.get(0), try row.get(1))
                model[table]?[key] = value
            }
        }
        return model
    }

    /// Bytes of which most are not valid UTF-8.
    private static func text(_ random: inout SeededGenerator) -> Data {
        let bytes: [UInt8] = [0x61, 0x41, 0x20, 0x80, 0xC3, 0xA9, 0xFF]
        return Data((0..<Int.random(in: 0...2, using: &random)).map { _ in bytes.randomElement(using: &random) ?? 0 })
    }

    private static func hex(_ data: Data) -> String {
        "text" + data.map { String(format: "%02X", $0) }.joined()
    }

    /// Changes one row, and the model.
    private static func write(
        _ connection: Connection, _ model: inout Model, at time: Int, _ random: inout SeededGenerator
    ) throws {
        let table = random.pick(tables)
        let (key, value) = (text(&random), text(&random))
        if random.chance(25) {
            try connection.run("DELETE FROM \(name: table) WHERE k = CAST(\(key) AS TEXT)")
            model[table]?[hex(key)] = nil
        } else {
            try connection.run(
                """
                INSERT INTO \(name: table) VALUES(CAST(\(key) AS TEXT), CAST(\(value) AS TEXT), \(time))
                ON CONFLICT DO UPDATE SET v = excluded.v, at = excluded.at
                """)
            model[table]?[hex(key)] = hex(value)
        }
    }

    @Test(arguments: [SyncLog.Role.hub, .peer]) func aLogExchangesItUnchanged(role: SyncLog.Role) throws {
        var random = TestSeed.of().generator()
        let policy: SyncLog.Policy = role == .hub ? .replicaWins : .lastWriter(by: "at")
        let policies = ["notes": policy, "strict": policy]
        let other: SyncLog.Role = role == .hub ? .replica : .peer
        let first = try SyncReplica("a", role: role, schema: Self.schema, tables: policies)
        let second = try SyncReplica("b", role: other, schema: Self.schema, tables: policies)
        var model: Model = ["notes": [:], "strict": [:]]
        for step in 1...500 {
            let writer = random.chance(50) ? first : second
            try writer.log.record(on: writer.connection) { try Self.write($0, &model, at: step, &random) }
            let report = try writer === first ? second.pull(first) : first.pull(second)
            #expect(report.pending.isEmpty && report.conflicts.isEmpty)
            try #require(try Self.rows(first.connection) == model, "step \(step)")
            try #require(try Self.rows(second.connection) == model, "step \(step)")
        }
    }

    @Test func theStampOfAPeerIsInSQLitesOrder() throws {
        let policies: [String: SyncLog.Policy] = ["notes": .lastWriter(by: "at")]
        // A stamp with a later byte wins, whether the texts are valid or not.
        for (less, greater) in [("61", "FF"), ("FF", "FF61"), ("C3A9", "C3FF"), ("80", "C3A9")] {
            let a = try SyncReplica("a", schema: Self.schema, tables: policies)
            let b = try SyncReplica("b", schema: Self.schema, tables: policies)
            try a.record("INSERT INTO notes VALUES('k', 'greater', CAST(x'\(raw: greater)' AS TEXT))")
            try b.record("INSERT INTO notes VALUES('k', 'less', CAST(x'\(raw: less)' AS TEXT))")
            try a.pull(b)
            try b.pull(a)
            #expect(try a.value("SELECT v FROM notes") == "greater")
            #expect(try b.value("SELECT v FROM notes") == "greater")
        }
    }

    @Test func copiesOfRowsAndOfChangesKeepIt() throws {
        var random = TestSeed.of().generator()
        let (source, rowCopy, changeCopy) = (try Connection(), try Connection(), try Connection())
        for connection in [source, rowCopy, changeCopy] { try connection.execute("\(raw: Self.schema)") }
        var model: Model = ["notes": [:], "strict": [:]]
        for step in 1...500 {
            let changes = try source.recordChanges { try Self.write($0, &model, at: step, &random) }
            for change in try changes.elements {
                let key = change.old["k"] ?? change.new["k"] ?? .null
                if change.operation == .insert {
                    try changeCopy.run(
                        "INSERT INTO \(name: change.table) VALUES(\(key), \(change.new["v"] ?? .null), \(step))")
                } else if let value = change.new["v"] {
                    try changeCopy.run("UPDATE \(name: change.table) SET v = \(value) WHERE k = \(key)")
                } else if change.operation == .delete {
                    try changeCopy.run("DELETE FROM \(name: change.table) WHERE k = \(key)")
                }
            }
            #expect(try Self.rows(changeCopy) == model, "step \(step)")
        }
        for table in Self.tables {
            for row in try source.query("SELECT * FROM \(name: table)", as: Row.self) {
                let values = row.columns.map(\.bindingValue)
                try rowCopy.run("INSERT INTO \(name: table) VALUES(\(values[0]), \(values[1]), \(values[2]))")
            }
        }
        #expect(try Self.rows(rowCopy) == model)
        #expect(try Self.rows(source) == model)
    }

    @Test func aBindingValueIsTheSameTextInEveryPlace() throws {
        let connection = try Connection()
        let text = BindingValue.malformedText(Data([0x61, 0xFF]))
        let read: BindingValue = try connection.query("SELECT CAST(x'61FF' AS TEXT)")
        #expect(read == text && read != .blob(Data([0x61, 0xFF])))
        #expect(try connection.query("SELECT typeof(\(text)) || hex(\(text))") == "text61FF")
        #expect(try connection.query("SELECT 'found' WHERE CAST(x'61FF' AS TEXT) IN \(in: [text])") == "found")
        #expect(try connection.query("SELECT typeof(value) || hex(value) FROM \(array: [text])") == "text61FF")
        #expect(try connection.query("SELECT typeof(\(BindingValue.malformedText(Data())))") == "text")
        try connection.execute("CREATE TABLE t(a TEXT PRIMARY KEY NOT NULL)")
        let changes = try connection.recordChanges { try $0.run("INSERT INTO t VALUES(\(text))") }
        #expect(try changes.elements.map(\.new.description) == ["(a = (CAST(X'61FF' AS TEXT)))"])
    }
}
