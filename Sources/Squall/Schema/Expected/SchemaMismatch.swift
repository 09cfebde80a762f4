/// The differences between an ``ExpectedSchema`` and a database.
public struct SchemaMismatch: Error, Hashable, Sendable {
    /// A difference that can make the program's SQL fail or return other values.
    public enum Difference: Hashable, Sendable {
        /// The database has neither a table nor a view of this name.
        case missingTable(String)
        case missingColumn(table: String, column: String)
        /// The declared types have different affinities, by which SQLite converts and compares values.
        case type(table: String, column: String, expected: String, found: String)
        /// The column must be NOT NULL, and can contain NULL.
        case nullable(table: String, column: String)
    }

    /// All differences, in the order of the expected tables and columns.
    public let differences: [Difference]
    /// The version of SQLite that checked the SQL.
    public let expectedSQLiteVersion: String
    /// The version of SQLite that the program uses.
    public let sqliteVersion: String
}

extension SchemaMismatch: CustomStringConvertible {
    /// One line for each difference, and the versions of SQLite if they differ.
    @_documentation(visibility: internal)
    public var description: String {
        let versions =
            expectedSQLiteVersion == sqliteVersion
            ? "" : " (the SQL was checked by SQLite \(expectedSQLiteVersion), the program uses \(sqliteVersion))"
        let lines = ["the database does not have the schema that the program's SQL uses\(versions):"]
        return (lines + differences.map(\.description)).joined(separator: "\n")
    }
}

extension SchemaMismatch.Difference: CustomStringConvertible {
    @_documentation(visibility: internal)
    public var description: String {
        switch self {
        case .missingTable(let table): "there is no table \(table)"
        case .missingColumn(let table, let column): "there is no column \(table).\(column)"
        case .type(let table, let column, let expected, let found):
            "the column \(table).\(column) has the type \(found) instead of \(expected)"
        case .nullable(let table, let column): "the column \(table).\(column) is not NOT NULL"
        }
    }
}
