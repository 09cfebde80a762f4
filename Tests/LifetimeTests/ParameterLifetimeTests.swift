import Foundation
import Squall
import Testing

/// Values that are last used by the statement that binds them. They prove something when they are built for release under the
/// address sanitizer, like ``LifetimeTests``.
struct ParameterLifetimeTests {
    private static let rounds = 50

    @inline(never)
    private static func text(_ number: Int, _ length: Int = 40) -> String {
        String(repeating: "a text of the heap, ", count: length / 20) + "\(number)"
    }

    @inline(never)
    private static func data(_ number: Int, _ length: Int) -> Data { Data(repeating: UInt8(number), count: length) }

    private static let create: SQL = "CREATE TABLE t(a, b, c, d)"

    private static func check(_ connection: Connection, rows: Int) throws {
        let found = try connection.query("SELECT * FROM t ORDER BY rowid", as: (Int, String, Data?, String).self)
        #expect(found.count == rows)
        for (n, row) in found.enumerated() {
            #expect(row.0 == n)
            #expect(row.1 == text(n))
            #expect(row.2 == (n % 3 == 0 ? nil : data(n, n * 200)))
            #expect(row.3 == text(n, n * 200))
        }
    }

    @Test func inAStatementOfTheCache() throws {
        let connection = try Connection()
        try connection.run(Self.create)
        for n in 0..<Self.rounds {
            let data = n % 3 == 0 ? nil : Self.data(n, n * 200)
            try connection.run("INSERT INTO t VALUES(?, ?, ?, ?)", n, Self.text(n), data, Self.text(n, n * 200))
        }
        try Self.check(connection, rows: Self.rounds)
    }

    @Test func inAStatementOfYourOwn() throws {
        let connection = try Connection()
        try connection.run(Self.create)
        let statement = try connection.prepare("INSERT INTO t VALUES(?, ?, ?, ?)")
        for n in 0..<Self.rounds {
            let data = n % 3 == 0 ? nil : Self.data(n, n * 200)
            try statement.bind(n, Self.text(n), data, Self.text(n, n * 200)).run()
        }
        try Self.check(connection, rows: Self.rounds)
    }

    @Test func inAConnectionAndAStatementWithoutAName() throws {
        for n in 1...Self.rounds {
            try Connection().run("SELECT ?, ?", n, Self.text(n))
            try Connection().prepare("SELECT ?, ?, ?").bind(Self.text(n), Self.data(n, 10_000), Self.text(n, 5_000))
                .run()
        }
    }

    @Test func inAStatementThatIsEvictedWhileAValueIsBound() throws {
        struct Evicting: Bindable {
            nonisolated(unsafe) let connection: Connection
            let number: Int

            var bindingValue: BindingValue {
                for other in 0..<200 {
                    try? connection.run("SELECT ?, \(raw: "\(other)")", ParameterLifetimeTests.text(other))
                }
                return .text(ParameterLifetimeTests.text(number))
            }
        }
        let connection = try Connection()
        try connection.run(Self.create)
        for n in 0..<Self.rounds {
            try connection.run(
                "INSERT INTO t VALUES(?, ?, ?, ?)", n, Evicting(connection: connection, number: n),
                n % 3 == 0 ? nil : Self.data(n, n * 200), Self.text(n, n * 200))
        }
        try Self.check(connection, rows: Self.rounds)
    }

    private struct Item: TableRecord {
        let a: Int
        let b: String
        let c: Data?
        let d: String

        static let table = Table("t", Item.init) {
            Column("a", \Item.a, .primaryKey)
            Column("b", \Item.b)
            Column("c", \Item.c)
            Column("d", \Item.d)
        }
    }

    @Test func inRecords() throws {
        let connection = try Connection()
        try connection.create(Item.table)
        for n in 0..<Self.rounds {
            try connection.insert(Item(a: n, b: "", c: nil, d: ""))
            let data = n % 3 == 0 ? nil : Self.data(n, n * 200)
            try connection.update(Item(a: n, b: Self.text(n), c: data, d: Self.text(n, n * 200)))
        }
        try Self.check(connection, rows: Self.rounds)
    }
}
