import Testing

import Squall

@testable import SquallStore

/// Results of all rows from a store that receives the rows in parts.
struct PartedRowsTests {
    /// Reads 30 numbers, in parts of 10 where parts are wanted.
    ///
    /// `@unchecked Sendable`: one task uses it.
    private final class Runner: SQLRunner, @unchecked Sendable {
        let connection: Connection
        var parts = 0

        init() throws {
            connection = try Connection()
        }

        func run(_ sql: SQL) async throws -> RunResult { RunResult(changes: 0, lastInsertRowID: 0) }

        func execute(_ script: SQL) async throws {}

        nonisolated(nonsending) func query<Value: Sendable>(
            _ sql: SQL, rows: QueriedRows, _ read: @escaping @Sendable (Connection, SQL) throws -> Value
        ) async throws -> Value {
            guard rows == .inParts else { return try read(connection, numbers(1...30, of: sql)) }
            for start in [1, 11] {
                parts += 1
                _ = try read(connection, numbers(start...start + 9, of: sql))
            }
            parts += 1
            return try read(connection, numbers(21...30, of: sql))
        }

        private func numbers(_ range: ClosedRange<Int>, of sql: SQL) -> SQL {
            """
            WITH RECURSIVE numbers(id) AS
                (SELECT \(range.lowerBound) UNION ALL SELECT id + 1 FROM numbers WHERE id < \(range.upperBound))
            \(sql)
            """
        }
    }

    private struct Number: TableRecord, Decodable, Equatable {
        let id: Int

        static let table = Table("numbers", Number.init) { Column("id", \Number.id, .primaryKey) }
    }

    private let runner: Runner
    private var connection: StoreConnection { StoreConnection(runner) }

    init() throws {
        runner = try Runner()
    }

    @Test func anArrayIsReadInParts() async throws {
        let ids: [Int] = try await connection.query("SELECT id FROM numbers")
        #expect(ids == Array(1...30))
        #expect(runner.parts == 3)
        var names: [String] = []
        for name: String in try await connection.query("SELECT 'n' || id FROM numbers") { names.append(name) }
        #expect(names == (1...30).map { "n\($0)" })
        #expect(try await connection.all(Number.self) == (1...30).map { Number(id: $0) })
        #expect(try await connection.all(Number.order { $0.id.descending }).count == 30)
        let decoded = try await connection.query("SELECT * FROM numbers", as: [Number].self)
        #expect(decoded == (1...30).map { Number(id: $0) })
        let tripled: [Int] = try await connection.query("SELECT id FROM numbers") { try $0.get(0) * 3 }
        #expect(tripled == (1...30).map { $0 * 3 })
        #expect(runner.parts == 18)
        let none: [Int] = try await connection.query("SELECT id FROM numbers WHERE id > 30")
        #expect(none == [])
    }

    @Test func anotherCollectionIsReadAtOnce() async throws {
        let set: Set<Int> = try await connection.query("SELECT id FROM numbers")
        #expect(set == Set(1...30))
        let dictionary: [Int: Int] = try await connection.query("SELECT id, id + 1 FROM numbers")
        #expect(dictionary.count == 30)
        let rows = try await connection.query("SELECT id FROM numbers", as: Row.self)
        #expect(try rows.map { try $0.get(0) as Int } == Array(1...30))
        let count: Int = try await connection.query("SELECT count(*) FROM numbers")
        #expect(count == 30)
        #expect(runner.parts == 0)
    }

    @Test func anErrorInAPartEndsTheQuery() async throws {
        let error = await #expect(throws: ConversionError.self) {
            let _: [Int] = try await connection.query("SELECT CASE id WHEN 15 THEN 'x' ELSE id END FROM numbers")
        }
        #expect(error?.sql == "SELECT CASE id WHEN 15 THEN 'x' ELSE id END FROM numbers")
        #expect(runner.parts == 2)
    }
}
