extension SQLiteError {
    /// The table, the value or the file that a problem is about.
    public struct Subject: Hashable, Sendable {
        /// The path of a file.
        public private(set) var path: String?

        /// The name of the database of a value: `main`, `temp` or that of an attached one.
        public private(set) var database: String?

        /// The name of a table, a view or a virtual table.
        public private(set) var table: String?

        /// The name of the column of a value.
        public private(set) var column: String?

        /// The rowid of the row of a value.
        public private(set) var row: Int64?

        package init() {}

        /// A file.
        public static func file(_ path: String) -> Subject {
            var subject = Subject()
            subject.path = path
            return subject
        }

        /// A table, a view or a virtual table.
        public static func table(_ name: String) -> Subject {
            var subject = Subject()
            subject.table = name
            return subject
        }

        /// The value of a column in a row.
        public static func value(
            in table: String, column: String, row: Int64, database: String = "main"
        ) -> Subject {
            var subject = Subject.table(table)
            (subject.database, subject.column, subject.row) = (database, column, row)
            return subject
        }
    }
}

/// The parts in a message, which has a question mark for one that is not known.
extension SQLiteError.Subject {
    package var pathName: String { path ?? "?" }
    var databaseName: String { database ?? "?" }
    package var tableName: String { table ?? "?" }
    var columnName: String { column ?? "?" }
    var rowName: String { row.map { "\($0)" } ?? "?" }
}
