/// The tables and columns that a program's SQL uses, as they were when the SQL was checked.
///
///     let schema = ExpectedSchema(
///         sqliteVersion: "3.46.0",
///         tables: [
///             .init("cars", [
///                 .init("id", "INTEGER", isNotNull: true),
///                 .init("price", "INTEGER", isNotNull: false),
///             ])
///         ])
///     try connection.require(schema)
///
/// Keep one schema for the program, in a `static let`: a connection remembers by its identity that it fits.
///
/// The order of the columns is not compared, and there may be others. SQL that uses the schema therefore names its columns: `SELECT *`
/// that is read by position, `INSERT` without a list of columns and `NATURAL JOIN` depend on those of the file.
public final class ExpectedSchema: Sendable {
    /// A table, a view or a virtual table.
    public struct Table: Hashable, Sendable {
        public let name: String
        /// The columns that are used, in any order.
        public let columns: [Column]

        public init(_ name: String, _ columns: [Column]) {
            self.name = name
            self.columns = columns
        }
    }

    /// A column of a table.
    public struct Column: Hashable, Sendable {
        public let name: String
        /// The declared type as it was written; empty if there is none, or it does not matter.
        public let type: String
        /// Whether the column must not be able to contain NULL.
        public let isNotNull: Bool

        public init(_ name: String, _ type: String, isNotNull: Bool) {
            self.name = name
            self.type = type
            self.isNotNull = isNotNull
        }
    }

    /// The version of SQLite that checked the SQL: `3.46.0`.
    public let sqliteVersion: String
    public let tables: [Table]

    public init(sqliteVersion: String, tables: [Table]) {
        self.sqliteVersion = sqliteVersion
        self.tables = tables
    }
}
