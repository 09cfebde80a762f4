import Squall

nonisolated final class ExpectedSchema: Sendable {
    struct Column: Sendable {
        init(_ name: String, _ type: String, isNotNull: Bool) {}
    }

    struct Table: Sendable {
        init(_ name: String, _ columns: [Column]) {}
    }

    init(sqliteVersion: String, tables: [Table]) {}
}

nonisolated extension Connection {
    func require(_ schema: ExpectedSchema) throws {}

    func require<Result>(_ schema: ExpectedSchema, while body: () throws -> Result) throws -> Result { try body() }
}
