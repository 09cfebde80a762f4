import Foundation
import Squall
import Testing

/// Arrays, rows, records and closures that a scan is the last to use. They prove something when they are built for release under the
/// address sanitizer, like ``LifetimeTests``: SQLite reads the elements of an array where they are, and scans run without checks of
/// exclusivity.
struct TableLifetimeTests {
    private static let rounds = 50

    @inline(never)
    private static func text(_ number: Int) -> String {
        String(repeating: "a text of the heap, ", count: 4) + "\(number)"
    }

    @inline(never)
    private static func texts(_ count: Int) -> [String] { (0..<count).map(text) }

    // MARK: - Arrays

    @Test func anArrayThatItsStatementIsTheLastToUse() throws {
        for _ in 0..<Self.rounds {
            let found: [String] = try Connection().query(
                "SELECT a.value || b.value FROM \(array: Self.texts(9)) a, \(array: [Self.text(1)]) b")
            #expect(found == Self.texts(9).map { $0 + Self.text(1) })
        }
    }

    @Test func aMaximumThatIsReadWhenTheScanHasEnded() throws {
        let connection = try numbers()
        for _ in 0..<Self.rounds {
            let greatest = try connection.query(
                "SELECT max(value), min(value) FROM \(array: Self.texts(9))", as: (String, String).self)
            #expect(greatest[0] == (Self.text(8), Self.text(0)))
            let sorted: [String] = try connection.query(
                "SELECT value FROM \(array: Self.texts(9)) UNION SELECT name FROM t ORDER BY 1 DESC LIMIT 2")
            #expect(sorted == ["name 9", "name 8"])
        }
    }

    @Test func anArrayThatIsBoundAgainBesideARowOfIt() throws {
        let connection = try numbers()
        var last: String?
        for round in 0..<Self.rounds {
            last = try connection.query("SELECT max(value) FROM \(array: Self.texts(1 + round % 9))")
        }
        #expect(last == Self.text((Self.rounds - 1) % 9))
    }

    // MARK: - Scans

    @Test func rowsThatAreReferences() throws {
        final class Holder {
            let text: String
            init(_ text: String) { self.text = text }
        }
        struct Holders: TableSource {
            var columns: [VirtualColumn<Holder>] { [VirtualColumn("text") { $0.text }] }
            func rows(_ scan: borrowing Scan) -> some Sequence<Holder> {
                TableLifetimeTests.texts(9).lazy.map(Holder.init)
            }
        }
        let connection = try Connection()
        try connection.register(named: "holders") { _ in Holders() }
        for _ in 0..<Self.rounds {
            let pairs = try connection.query(
                "SELECT a.text, b.text FROM holders a JOIN holders b ON a.rowid = b.rowid + 1",
                as: (String, String).self)
            #expect(pairs.count == 8)
            #expect(pairs[7] == (Self.text(8), Self.text(7)))
        }
    }

    @Test func argumentsAndRowsOfATableFunction() throws {
        let connection = try Connection()
        try connection.addTableFunction("suffixes", columns: "start", "suffix") { (text: String) in
            text.indices.lazy.map { (text.distance(from: text.startIndex, to: $0), text[$0...]) }
        }
        for _ in 0..<Self.rounds {
            let found = try connection.query(
                "SELECT a.start, b.suffix FROM suffixes(\(Self.text(1))) a, suffixes(a.suffix) b WHERE b.start = 1",
                as: (Int, String).self)
            #expect(found.count == Self.text(1).count - 1)
            #expect(found.allSatisfy { $0.1 == Self.text(1).dropFirst($0.0 + 1) })
        }
    }

    @Test func aCursorOfATableFunctionThatIsTheLastToUseItsConnection() throws {
        @inline(never)
        func words() throws -> RowCursor<String> {
            let connection = try Connection()
            try connection.addTableFunction("words", columns: "word") { (count: Int) in Self.texts(count) }
            return try connection.rows("SELECT word FROM words(20)", as: String.self)
        }
        for _ in 0..<Self.rounds {
            var cursor = try words()
            var found: [String] = []
            while let word = try cursor.next() { found.append(word) }
            #expect(found == Self.texts(20))
        }
    }

    // MARK: - Records

    private struct Item: TableRecord {
        let id: Int
        let name: String
        let body: Data?

        static let table = Table("item", Item.init) {
            Column("id", \Item.id, .primaryKey)
            Column("name", \Item.name)
            Column("body", \Item.body)
        }

        @inline(never)
        static func made(_ count: Int) -> [Item] {
            (0..<count).map { Item(id: $0, name: text($0), body: $0 % 3 == 0 ? nil : Data(text($0).utf8)) }
        }
    }

    @Test func recordsThatTheTableIsTheLastToUse() throws {
        let connection = try Connection()
        for round in 0..<Self.rounds {
            let rows = try connection.withTable("incoming", Item.made(round)) {
                try $0.query(
                    "SELECT a.name, b.body FROM incoming a JOIN incoming b ON a.id = b.id + 1",
                    as: (String, Data?).self)
            }
            #expect(rows.count == max(0, round - 1))
            for (number, row) in rows.enumerated() {
                #expect(row.0 == Self.text(number + 1))
                #expect(row.1 == (number % 3 == 0 ? nil : Data(Self.text(number).utf8)))
            }
        }
    }

    private final class Begun {
        var rows: RowCursor<String>

        init(_ rows: consuming RowCursor<String>) { self.rows = rows }
    }

    @Test func aScanOfRecordsThatGoesOnOutsideItsClosure() throws {
        let connection = try Connection()
        for _ in 0..<Self.rounds {
            var found: [String] = []
            let begun = try connection.withTable("incoming", Item.made(9)) {
                let begun = Begun(try $0.rows("SELECT name FROM incoming", as: String.self))
                if let name = try begun.rows.next() { found.append(name) }
                return begun
            }
            while let name = try begun.rows.next() { found.append(name) }
            #expect(found == Self.texts(9))
        }
    }
}
