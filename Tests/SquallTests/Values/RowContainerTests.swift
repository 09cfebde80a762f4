import Foundation
import Squall
import SquallTestSupport
import Testing

/// The keyed containers of rows: all rows of a query use one, and the bytes of the keys find the columns.
struct RowContainerTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute(
            "CREATE TABLE t(a, b, c); INSERT INTO t VALUES(1, 'one', NULL), (2, 'two', 2.5), (3, 'three', NULL)")
    }

    private struct Item: Decodable, Equatable {
        let a: Int
        let b: String
        let c: Double?
        var d: Int?
    }

    private let items = [Item(a: 1, b: "one", c: nil), Item(a: 2, b: "two", c: 2.5), Item(a: 3, b: "three", c: nil)]

    @Test func theOrderOfTheColumnsDoesNotMatter() throws {
        for columns in ["a, b, c", "c, b, a", "b, c, a", "A, B, C", "0 AS x, c, 0 AS y, b, a"] {
            #expect(try connection.query("SELECT \(raw: columns) FROM t ORDER BY a", as: [Item].self) == items)
        }
    }

    @Test func aStatementFindsColumnsThatHaveMoved() throws {
        let sql: SQL = "SELECT * FROM t ORDER BY a"
        #expect(try connection.query(sql, as: [Item].self) == items)
        try connection.execute("ALTER TABLE t DROP COLUMN b; ALTER TABLE t ADD COLUMN b DEFAULT 'new'")
        #expect(try connection.query(sql, as: [Item].self).map(\.b) == ["new", "new", "new"])
        try connection.execute("ALTER TABLE t RENAME COLUMN c TO d")
        try connection.run("UPDATE t SET d = 7")
        let found: [Item] = try connection.query(sql)
        #expect(found.map(\.c) == [nil, nil, nil])
        #expect(found.map(\.d) == [7, 7, 7])
        try connection.execute("ALTER TABLE t DROP COLUMN a")
        let error = try conversionError { let _: [Item] = try connection.query("SELECT * FROM t") }
        #expect(error.reason == .noSuchColumn)
        #expect(error.columnName == "a")
    }

    @Test func theFirstOfColumnsWithTheSameNameCounts() throws {
        struct A: Decodable { let a: Int }
        let found: [A] = try connection.query("SELECT 1 AS a, 2 AS a UNION ALL SELECT 3, 4")
        #expect(found.map(\.a) == [1, 3])
    }

    private class Base: Decodable {
        let b: String
    }

    private final class Derived: Base {
        let a: Int
        let again: Int

        private enum CodingKeys: String, CodingKey { case c, a }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            a = try container.decode(Int.self, forKey: .a)
            again = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .a)
            try super.init(from: container.superDecoder())
        }
    }

    @Test func severalTypesOfKeysInOneRow() throws {
        let found: [Derived] = try connection.query("SELECT * FROM t ORDER BY a")
        #expect(found.map(\.a) == [1, 2, 3])
        #expect(found.map(\.again) == [1, 2, 3])
        #expect(found.map(\.b) == ["one", "two", "three"])
    }

    /// A key of one byte that is not an enum, and one that has a name.
    private struct Letter: CodingKey {
        let character: UInt8
        var stringValue: String { String(UnicodeScalar(character)) }
        var intValue: Int? { nil }

        init?(stringValue: String) {
            guard stringValue.utf8.count == 1, let first = stringValue.utf8.first else { return nil }
            character = first
        }

        init?(intValue: Int) { nil }
    }

    private struct Letters: Decodable {
        let values: [String: String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Letter.self)
            var values: [String: String] = [:]
            for key in container.allKeys where try !container.decodeNil(forKey: key) {
                values[key.stringValue] = (try? container.decode(String.self, forKey: key)) ?? "?"
            }
            self.values = values
        }
    }

    @Test func keysThatAreMadeFromTheNamesOfColumns() throws {
        let found: [Letters] = try connection.query("SELECT *, a AS longer FROM t ORDER BY a")
        #expect(
            found.map(\.values) == [
                ["a": "?", "b": "one"], ["a": "?", "b": "two", "c": "?"], ["a": "?", "b": "three"],
            ])
        let dictionaries: [[String: Double?]] = try connection.query("SELECT a, c FROM t ORDER BY a")
        #expect(dictionaries == [["a": 1, "c": nil], ["a": 2, "c": 2.5], ["a": 3, "c": nil]])
    }

    private struct OneKey: Decodable, Equatable { let b: String }

    @Test func aTypeWithOneKey() throws {
        #expect(
            try connection.query("SELECT * FROM t ORDER BY a", as: [OneKey].self)
                == [OneKey(b: "one"), OneKey(b: "two"), OneKey(b: "three")])
    }

    private struct Lazy: Decodable {
        enum CodingKeys: CodingKey { case a, b, c }

        let container: KeyedDecodingContainer<CodingKeys>

        init(from decoder: any Decoder) throws {
            container = try decoder.container(keyedBy: CodingKeys.self)
        }
    }

    @Test func aContainerThatIsKeptReadsItsRow() throws {
        let sql: SQL = "SELECT * FROM t ORDER BY a"
        for _ in 0..<2 {
            let found: [Lazy] = try connection.query(sql)
            #expect(try found.map { try $0.container.decode(Int.self, forKey: .a) } == [1, 2, 3])
            #expect(try found.map { try $0.container.decode(String.self, forKey: .b) } == ["one", "two", "three"])
            #expect(try found.map { try $0.container.decodeIfPresent(Double.self, forKey: .c) } == [nil, 2.5, nil])
        }
        #expect(try connection.query(sql, as: [Item].self) == items)
        let one: Lazy = try connection.query("SELECT 7 AS a")
        #expect(try one.container.decode(Int.self, forKey: .a) == 7)
    }

    private struct LazyDecoder: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Lazy.CodingKeys.self)
            self.decoder = decoder
        }
    }

    @Test func aDecoderThatIsKeptReadsItsRow() throws {
        let found: [LazyDecoder] = try connection.query("SELECT * FROM t ORDER BY a")
        #expect(try found.map { try Item(from: $0.decoder) } == items)
        let containers = try found.map { try $0.decoder.container(keyedBy: Lazy.CodingKeys.self) }
        #expect(try containers.map { try $0.decode(Int.self, forKey: .a) } == [1, 2, 3])
    }

    /// Decodes its own row again, and another row with the same keys, while it is decoded.
    private struct Nested: Decodable, Equatable {
        @TaskLocal static var inner: (@Sendable () throws -> Int)?

        let a: Int
        let other: Int
        let b: String

        enum CodingKeys: CodingKey { case a, b }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            a = try container.decode(Int.self, forKey: .a)
            other = try Nested.inner.map { inner in try Nested.$inner.withValue(nil) { try inner() } } ?? 0
            b = try container.decode(String.self, forKey: .b)
        }
    }

    @Test func aRowMayBeDecodedWhileAnotherIs() throws {
        nonisolated(unsafe) let connection = connection
        let inner: @Sendable () throws -> Int = {
            let found: [Nested] = try connection.query("SELECT * FROM t ORDER BY a DESC")
            return found[0].a
        }
        let found: [Nested] = try Nested.$inner.withValue(inner) { try connection.query("SELECT * FROM t ORDER BY a") }
        #expect(found.map(\.a) == [1, 2, 3])
        #expect(found.map(\.other) == [3, 3, 3])
        #expect(found.map(\.b) == ["one", "two", "three"])
    }

    @Test func aRowMayBeDecodedAsSeveralTypes() throws {
        try connection.forEach("SELECT * FROM t ORDER BY a") { row in
            let item = try row.decode(Item.self)
            #expect(try row.decode(OneKey.self).b == item.b)
            #expect(try row.decode(Item.self) == item)
        }
    }

    @Test func anErrorInARowEndsItsDecoding() throws {
        try connection.run("INSERT INTO t VALUES('x', 'four', NULL)")
        for _ in 0..<2 {
            let error = try conversionError {
                let _: [Item] = try connection.query("SELECT * FROM t ORDER BY typeof(a)")
            }
            #expect(error.description.hasPrefix(#"column 0 "a": expected Int, found TEXT"#))
        }
        #expect(try connection.query("SELECT * FROM t WHERE a < 9 ORDER BY a", as: [Item].self) == items)
    }

    /// A type that looks at its container by hand.
    private struct Inspecting: Decodable {
        enum Keys: String, CodingKey { case a, b, none, list, object }

        let keys: [String]
        let contained: [Bool]
        let nulls: [Bool]
        let list: [Int]
        let inner: Int
        let superValue: Int
        let own: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            keys = container.allKeys.map(\.rawValue)
            contained = [container.contains(.a), container.contains(.none)]
            nulls = [try container.decodeNil(forKey: .a), try container.decodeNil(forKey: .b)]
            var unkeyed = try container.nestedUnkeyedContainer(forKey: .list)
            list = [try unkeyed.decode(Int.self), try unkeyed.decode(Int.self)]
            inner = try container.nestedContainer(keyedBy: Keys.self, forKey: .object).decode(Int.self, forKey: .a)
            superValue = try container.superDecoder(forKey: .a).singleValueContainer().decode(Int.self)
            own = try container.superDecoder().container(keyedBy: Keys.self).decode(Int.self, forKey: .a)
            #expect(throws: ConversionError.self) { try container.decodeNil(forKey: .none) }
            #expect(throws: DecodingError.self) { try decoder.unkeyedContainer() }
            #expect(try decoder.singleValueContainer().decodeNil() == false)
        }
    }

    @Test func containersByHand() throws {
        let found: Inspecting = try connection.query(
            "SELECT 5 AS a, NULL AS b, '[1, 2]' AS list, '{\"a\": 3}' AS object, 0 AS other")
        #expect(found.keys == ["a", "b", "list", "object"])
        #expect(found.contained == [true, false])
        #expect(found.nulls == [false, true])
        #expect(found.list == [1, 2])
        #expect(found.inner == 3)
        #expect(found.superValue == 5)
        #expect(found.own == 5)
    }

    @Test func aRowThatIsAListIsAnError() throws {
        struct List: Decodable {
            init(from decoder: any Decoder) throws { _ = try decoder.unkeyedContainer() }
        }
        let error = try conversionError { let _: List = try connection.query("SELECT 1, 2") }
        #expect("\(error)".contains("it is not of type Array<Any>"))
    }
}
