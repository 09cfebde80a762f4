import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Changes are applied to tables of other declarations. Either each row is as in the source, or nothing is written.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct WrittenRowPropertyTests {
    private static let types = ["", "INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB", "ANY"]
    private static let clauses = [
        "", "", "", " UNIQUE", " UNIQUE ON CONFLICT REPLACE", " UNIQUE ON CONFLICT IGNORE", " UNIQUE COLLATE NOCASE",
        " UNIQUE ON CONFLICT REPLACE COLLATE NOCASE", " NOT NULL ON CONFLICT IGNORE",
        " NOT NULL ON CONFLICT REPLACE DEFAULT 0",
        " CHECK(v IS NOT 'x')",
    ]
    private static let keys = [
        ("INTEGER PRIMARY KEY", ""), ("INTEGER PRIMARY KEY ON CONFLICT REPLACE", ""), ("INT PRIMARY KEY", ""),
        ("TEXT PRIMARY KEY", ""), ("INTEGER PRIMARY KEY ON CONFLICT IGNORE", " WITHOUT ROWID"),
    ]

    private static func table(_ random: inout SeededGenerator) -> SQL {
        let (key, end) = keys[Int.random(in: keys.indices, using: &random)]
        let columns = ["v", "w"].map { "\($0) \(random.pick(types))\(random.pick(clauses))" }
        return "CREATE TABLE t(id \(raw: key), \(raw: columns.joined(separator: ", ")))\(raw: end)"
    }

    private static func value(_ random: inout SeededGenerator) -> BindingValue {
        let values: [BindingValue] = [
            .null, .integer(1), .integer(2), .real(1.5), .real(2), .text("1"), .text("2.0"), .text("a"), .text("A"),
            .text("x"), .blob(Data([1])), .integer(.max),
        ]
        return values[Int.random(in: values.indices, using: &random)]
    }

    private static func write(_ random: inout SeededGenerator) -> SQL {
        let (id, v, w) = (Int.random(in: 1...4, using: &random), value(&random), value(&random))
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: "INSERT OR IGNORE INTO t VALUES(\(id), \(v), \(w))"
        case 1: "DELETE FROM t WHERE id = \(id)"
        case 2: "UPDATE OR IGNORE t SET v = \(v) WHERE id = \(id)"
        default: "UPDATE OR REPLACE t SET w = \(w), v = \(v) WHERE id = \(id)"
        }
    }

    /// Integral numbers are equal, whatever their type.
    private static func rows(_ connection: Connection) throws -> [String] {
        try connection.query("SELECT CAST(id AS INTEGER), * FROM t", as: Row.self).map { row in
            row.columns.map { column in
                if case .real(let real) = column.bindingValue, let number = Int64(exactly: real) {
                    return "integer(\(number))"
                }
                return "\(column.bindingValue)"
            }.joined(separator: ", ")
        }.sorted()
    }

    @Test func rowsAreAsInTheSourceOrNothingIsWritten() throws {
        let seed = TestSeed.of()
        var random = SeededGenerator(seed: seed.value)
        var (applied, refused) = (0, 0)
        for step in 0..<500 {
            let (source, twin) = (try Connection(), try Connection())
            try source.run(Self.table(&random))
            try twin.run(Self.table(&random))
            for _ in 0..<4 {
                let (id, v, w) = (
                    Int.random(in: 1...4, using: &random), Self.value(&random), Self.value(&random)
                )
                for connection in [source, twin] {
                    try connection.run("INSERT OR IGNORE INTO t VALUES(\(id), \(v), \(w))")
                }
            }
            let (before, twinBefore) = (try Self.rows(source), try Self.rows(twin))
            let changes = try source.recordChanges { connection in
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    do { try connection.run(Self.write(&random)) } catch ResultCode.constraint {} catch ResultCode
                        .mismatch
                    {}
                }
            }
            do {
                if random.chance(30) {
                    try twin.apply(WrittenRowTests.stream(changes))
                } else {
                    try twin.apply(changes)
                }
                applied += 1
            } catch let error as SQLiteError {
                refused += 1
                #expect([.abort, .mismatch, .constraint, .schema].contains(error.resultCode), "\(error), step \(step)")
                #expect(try Self.rows(twin) == twinBefore, "seed \(seed), step \(step)")
                continue
            }
            // Rows of the twin alone are kept.
            guard before == twinBefore else {
                try Self.check(changes, twin, twinBefore, "seed \(seed), step \(step)")
                continue
            }
            #expect(try Self.rows(twin) == Self.rows(source), "seed \(seed), step \(step)")
            do {
                try twin.apply(changes, options: .inverted)
            } catch let error as SQLiteError where [.abort, .mismatch].contains(error.resultCode) {
                // Rows exchange the values of a constraint that only the twin has.
                #expect(try Self.rows(twin) == Self.rows(source))
                continue
            }
            #expect(try Self.rows(twin) == twinBefore, "seed \(seed), step \(step)")
        }
        #expect(applied > 50 && refused > 50)
    }

    /// Each row of the changes is as they say, and the others are as they were.
    private static func check(
        _ changes: Changeset, _ twin: Connection, _ before: [String], _ comment: Comment
    ) throws {
        var changed: Set<String> = []
        try changes.forEach { change in
            let id = (change.operation == .insert ? change.new[0] : change.old[0]) ?? .null
            let number: Int = try twin.query("SELECT CAST(\(id) AS INTEGER)")
            changed.insert("integer(\(number))")
            guard change.operation != .delete else { return }
            for (index, name) in ["id", "v", "w"].enumerated() {
                guard let value = change.new[index] else { continue }
                let isStored: Bool? = try twin.query("SELECT \(name: name) IS \(value) FROM t WHERE id = \(id)")
                #expect(isStored == true, comment)
            }
        }
        func others(_ rows: [String]) -> [String] {
            rows.filter { row in !changed.contains { row.hasPrefix($0 + ",") } }
        }
        #expect(try others(rows(twin)) == others(before), comment)
    }
}
