import Foundation
import Squall
import SquallTestSupport
import Testing

struct DeclarationTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    struct Everything: TableRecord, Equatable {
        let id: UUID
        let token: UUID?
        let added: Date
        let seen: Date?
        let day: Date
        let born: Date
        let tags: [String]
        let address: Address?
        let price: Decimal
        let flag: Bool
        let kind: Kind
        let bytes: [UInt8]
        let any: BindingValue
        let total: Double?

        struct Address: Codable, Equatable { var city: String }
        enum Kind: String, Binding { case big, small }

        static let table = Table(
            "everything", Everything.init, .strict, .withoutRowID, .unique("added", "day"),
            .check("price <> ''", named: "priced"),
            .index(
                "everything_added", on: "added", IndexedColumn("kind", order: .descending), unique: true, where: "flag")
        ) {
            Column("id", \Everything.id, .primaryKey)
            Column("token", \Everything.token, as: .text)
            Column("added", \Everything.added, as: .unixMilliseconds)
            Column("seen", \Everything.seen, as: .unixTime)
            Column("day", \Everything.day)
            Column("born", \Everything.born, as: .julianDay)
            Column("tags", \Everything.tags, as: .json, .default(["a", "b's"]))
            Column("address", \Everything.address, as: .json)
            Column("price", \Everything.price, .default(Decimal(1)))
            Column("flag", \Everything.flag, .default(false))
            Column("kind", \Everything.kind, .default(.small))
            Column("bytes", \Everything.bytes)
            Column("any", \Everything.any)
            Column("total", \Everything.total, .generated("price * 2", stored: true))
        }
    }

    private let date = Date(timeIntervalSince1970: 1_000_000_000.25)

    private var example: Everything {
        Everything(
            id: UUID(), token: UUID(), added: date, seen: nil, day: date, born: date, tags: ["x", "y"],
            address: .init(city: "Oslo"), price: 2.5, flag: true, kind: .big, bytes: [1, 2], any: .text("any"), total: 5
        )
    }

    @Test func everyTypeAndForm() throws {
        #expect(
            Everything.table.createSQL.text == """
                CREATE TABLE "everything"("id" BLOB PRIMARY KEY NOT NULL, "token" TEXT, "added" INTEGER NOT NULL, \
                "seen" REAL, "day" TEXT NOT NULL, "born" REAL NOT NULL, \
                "tags" TEXT NOT NULL DEFAULT '["a","b''s"]', "address" TEXT, "price" TEXT NOT NULL DEFAULT '1', \
                "flag" INTEGER NOT NULL DEFAULT 0, "kind" TEXT NOT NULL DEFAULT 'small', "bytes" BLOB NOT NULL, \
                "any" ANY NOT NULL, "total" REAL GENERATED ALWAYS AS (price * 2) STORED, UNIQUE ("added", "day"), \
                CONSTRAINT "priced" CHECK (price <> '')) STRICT, WITHOUT ROWID
                """
        )
        try connection.create(Everything.table)
        #expect(try connection.tableInfo("everything") == Everything.table.definition)
        let record = example
        try connection.insert(record)
        #expect(try connection.find(Everything.self, record.id) == record)
        #expect(try connection.query("SELECT added FROM everything") == 1_000_000_000_250)
        #expect(try connection.query("SELECT token FROM everything") == record.token?.uuidString)
        #expect(try connection.query("SELECT tags FROM everything") == #"["x","y"]"#)
        #expect(try connection.query("SELECT born FROM everything") == 2_452_161.574_076_967_6)
    }

    @Test func conditionsCompareInTheFormOfTheColumn() throws {
        try connection.create(Everything.table)
        let record = example
        try connection.insert(record)
        let later = date.addingTimeInterval(1)
        #expect(try connection.count(Everything.self) { $0.added < later && $0.added == self.date } == 1)
        #expect(try connection.count(Everything.self) { $0.token == record.token } == 1)
        #expect(try connection.count(Everything.self) { $0.added.in([later, self.date]) } == 1)
        #expect(try connection.count(Everything.self) { $0.born.between(self.date, and: later) } == 1)
        #expect(try connection.max(\Everything.added) == date)
        let selected = try connection.all(Everything.select { ($0.added, $0.token, $0.seen) })
        #expect(selected.map(\.0) == [date])
        #expect(selected.map(\.1) == [record.token])
        let error = try sqliteError { _ = try connection.all(Everything.self) { $0.added == $0.day } }
        #expect(error.message.hasPrefix("columns that are stored in different forms"))
        let writing = try sqliteError {
            try connection.update(Everything.self) {
                $0.day.set(to: $0.added)
            } where: { _ in
                "TRUE"
            }
        }
        #expect(writing.message.hasPrefix("columns that are stored in different forms"))
        let listing = try sqliteError {
            _ = try connection.all(Everything.self) { $0.day.in(Everything.select { $0.added }) }
        }
        #expect(listing.message.hasPrefix("columns that are stored in different forms"))
        #expect(try connection.count(Everything.self) { $0.added.in(Everything.select { $0.added }) } == 1)
        #expect(try connection.count(Everything.self) { $0.day == Expr<Date>("\($0.day)") } == 1)
        try connection.update(Everything.self) {
            $0.seen.set(to: later)
            $0.added.set(to: later)
        } where: {
            $0.flag.isTrue
        }
        #expect(try connection.find(Everything.self, record.id)?.seen == later)
        #expect(try connection.find(Everything.self, record.id)?.added == later)
    }

    @Test func aKeyIsFoundInTheFormOfItsColumn() throws {
        struct Token: TableRecord, Equatable {
            let id: UUID
            let name: String
            static let table = Table("tokens", Token.init) {
                Column("id", \Token.id, as: .text, .primaryKey)
                Column("name", \Token.name)
            }
        }
        try connection.create(Token.table)
        let token = Token(id: UUID(), name: "a")
        try connection.insert(token)
        #expect(try connection.find(Token.self, token.id) == token)
        #expect(try connection.update(Token(id: token.id, name: "b"), \.name))
        #expect(try connection.delete(token))
    }

    struct Swapped: TableRecord {
        let first: String
        let age: Int
        let last: String
        static let table = Table("swapped", Swapped.init) {
            Column("last", \Swapped.last)
            Column("age", \Swapped.age)
            Column("first", \Swapped.first)
        }
    }

    struct Flags: TableRecord {
        let one: Bool
        let two: Bool
        let three: Bool
        static let table = Table("flags", Flags.init) {
            Column("one", \Flags.one)
            Column("three", \Flags.three)
            Column("two", \Flags.two)
        }
    }

    @Test func swappedColumnsAreFoundAtFirstUse() throws {
        let error = try sqliteError { try connection.create(Swapped.table) }
        #expect(
            error.message == """
                the columns of the table "swapped" are not in the order of the initialiser: "last" gets the value of \
                "first"
                """
        )
        #expect(throws: SQLiteError.self) { try connection.insert(Swapped(first: "a", age: 1, last: "b")) }
        #expect(throws: SQLiteError.self) { _ = try connection.all(Swapped.self) }
        #expect(throws: SQLiteError.self) { _ = try connection.all(Swapped.where { $0.age > 1 }) }
        let flags = try sqliteError { _ = try connection.count(Flags.self) }
        #expect(
            flags.message.hasSuffix(#""two" gets the value of "three""#) || flags.message.contains("\"three\" gets"))
    }

    @Test func initialisersThatChangeOrRefuseValuesAreLeftAlone() throws {
        struct Name: TableRecord {
            let first: String
            let last: String
            init(first: String, last: String) throws {
                if first.isEmpty || last.isEmpty { throw CancellationError() }
                self.first = first.uppercased()
                self.last = last
            }
            static let table = Table("names", Name.init) {
                Column("first", \Name.first)
                Column("last", \Name.last)
            }
        }
        try connection.create(Name.table)
        try connection.insert(Name(first: "a", last: "b"))
        #expect(try connection.all(Name.self).map(\.first) == ["A"])
        struct Positive: TableRecord {
            let one: Int
            let two: Int
            init(_ one: Int, _ two: Int) {
                precondition(one > 1000)
                self.one = one
                self.two = two
            }
            static let table = Table("positive", Positive.init, .unprobed) {
                Column("one", \Positive.one)
                Column("two", \Positive.two)
            }
        }
        try connection.create(Positive.table)
    }

    @Test func wrongDeclarationsThrowAtFirstUse() throws {
        struct One: Initializable { var a = 0 }
        struct Fixed: Initializable { let a = 0 }
        let twice = Table("twice", One.self) {
            Column("a", \One.a)
            Column("A", \One.a)
        }
        let fixed = Table("fixed", Fixed.self) { Column("a", \Fixed.a) }
        let keyless = Table("keyless", One.self) { Column("a", \One.a) }
        let hostile = Table("a\0b", One.self) { Column("a", \One.a) }
        #expect(try sqliteError { try connection.create(twice) }.message.hasSuffix(#"two columns "A""#))
        #expect(try sqliteError { _ = try connection.table(fixed).all() }.message.hasSuffix("cannot be set"))
        #expect(throws: SQLiteError.self) { try connection.create(hostile) }
        try connection.create(keyless)
        try connection.table(keyless).insert(One(a: 1))
        for verb in [
            { _ = try connection.table(keyless).find(1) }, { try connection.table(keyless).update(One(a: 1)) },
            { try connection.table(keyless).delete(One(a: 1)) }, { try connection.table(keyless).upsert(One(a: 1)) },
        ] {
            #expect(try sqliteError { try verb() }.message.hasSuffix("without a primary key"))
        }
    }

    @Test func namesAreComparedAsSQLiteComparesThem() throws {
        struct Two: Initializable, Equatable { var small = "", big = "" }
        let two = Table("two", Two.self) {
            Column("é", \Two.small, .primaryKey)
            Column("É", \Two.big)
        }
        try connection.create(two)
        try connection.table(two).insert(Two(small: "s", big: "b"))
        #expect(try connection.table(two).update(Two(small: "s", big: "c")))
        #expect(try connection.table(two).find("s") == Two(small: "s", big: "c"))
    }

    @Test func columnsCanBeArguments() throws {
        struct Pair: TableRecord, Equatable {
            let id: Int64?
            let name: String
            static let table = Table(
                "pairs", Pair.init, Column("id", \Pair.id, .primaryKey), Column("name", \Pair.name), options: .strict
            )
        }
        #expect(
            Pair.table.createSQL.text
                == #"CREATE TABLE "pairs"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT"#
        )
        try connection.create(Pair.table)
        try connection.insert(Pair(id: nil, name: "a"))
        try connection.prepareInsert(into: Pair.table).run(nil, "b")
        #expect(try connection.all(Pair.self) == [Pair(id: 1, name: "a"), Pair(id: 2, name: "b")])
    }

    @Test func hostileIdentifiersAreQuoted() throws {
        struct Odd: Initializable, Equatable { var a = 0, b = "" }
        let odd = Table("ta\"ble; --", Odd.self, .index("in'dex", on: "o\"ne")) {
            Column("o\"ne", \Odd.a, .primaryKey)
            Column("two'); DROP TABLE x", \Odd.b, .unique)
        }
        try connection.create(odd)
        try connection.table(odd).insert(contentsOf: [Odd(a: 1, b: "x"), Odd(a: 2, b: "y")])
        try connection.table(odd).upsert(Odd(a: 3, b: "y"), onConflict: \.b)
        try connection.table(odd).update(Odd(a: 1, b: "z"))
        #expect(try connection.all(odd.where { $0.b != "y" }.order { $0.a.descending }) == [Odd(a: 1, b: "z")])
        #expect(try connection.table(odd).first { $0.a == 2 } == Odd(a: 2, b: "y"))
        #expect(try connection.tableInfo("ta\"ble; --") == odd.definition)
    }

    @Test func aPropertyThatIsNoColumnThrows() throws {
        try connection.create(points)
        let error = try sqliteError { _ = try connection.table(points).all { $0.hashOfLabel == 3 } }
        #expect(error.message.contains("has no column for"))
    }

    @Test func classesAreRecordsToo() throws {
        final class Note: TableRecord {
            let id: Int
            let text: String?
            init(id: Int, text: String?) {
                self.id = id
                self.text = text
            }
            static let table = Table("notes", Note.init) {
                Column("id", \Note.id, .primaryKey)
                Column("text", \Note.text)
            }
        }
        try connection.create(Note.table)
        try connection.insert(contentsOf: (1...100).map { Note(id: $0, text: "\($0)") })
        #expect(try connection.first(Note.self) { $0.text == "77" }?.id == 77)
    }

    private struct Dated {
        var at: Date?
    }

    @Test func theDefaultOfAnOptionalColumnHasTheFormOfTheColumn() throws {
        func sql(_ value: Date?) throws -> String {
            let connection = try Connection()
            try connection.create(
                Table("dated", Dated.init) { Column("at", \Dated.at, as: .unixMilliseconds, .default(value)) })
            return try connection.query("SELECT sql FROM sqlite_schema")
        }
        #expect(try sql(nil) == #"CREATE TABLE "dated"("at" INTEGER DEFAULT NULL)"#)
        #expect(
            try sql(Date(timeIntervalSince1970: 1.5)) == #"CREATE TABLE "dated"("at" INTEGER DEFAULT 1500)"#)
        #expect(
            try errorKind { _ = try sql(Date(timeIntervalSince1970: 1e300)) }
                == .unstorable(type: "UnixMilliseconds", reason: .tooFarForMilliseconds))
    }
}

extension Point {
    var hashOfLabel: Int { label.count }
}
