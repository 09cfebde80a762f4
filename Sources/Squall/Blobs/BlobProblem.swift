/// The reason why a value cannot be opened, read or written as a ``Blob``. The error's ``SQLiteError/subject`` is the place of
/// the value.
public enum BlobProblem: SQLiteProblem {
    /// Thrown for a name that no table has.
    case unknownTable
    /// Thrown for a name that no column of the table has. `rowid` is not a column.
    case unknownColumn
    /// Thrown when no row has the rowid.
    case unknownRow
    /// Thrown for a view.
    case view
    /// Thrown for a virtual table.
    case virtualTable
    /// Thrown for a `WITHOUT ROWID` table.
    case withoutRowID
    /// Thrown for a table with generated columns: some versions of SQLite open another column than the one that is named.
    case generatedColumns
    /// Thrown when a column is opened for writing that is part of an index or of a primary key.
    case indexedColumn
    /// Thrown when a column is opened for writing from which triggers keep a search table or an R*Tree in step: they would not run.
    case derivedIndex
    /// Thrown when a column is opened for writing that is the child of a foreign key, while foreign keys are enforced.
    case foreignKeyColumn
    /// Thrown when a table of SQLite itself, such as `sqlite_schema`, is opened for writing. The code is `SQLITE_READONLY` (8).
    case tableOfSQLite
    /// Thrown when a table in which a virtual table keeps its data is opened for writing while ``Configuration/defensive`` is on. The
    /// code is `SQLITE_READONLY` (8).
    case shadowTable
    /// Thrown when the value is NULL, and for an INTEGER PRIMARY KEY.
    case null
    /// Thrown when the value is an INTEGER or a REAL.
    case number
    /// Thrown when the row was changed or deleted since the value was opened, or `move(to:)` has failed. The code is `SQLITE_ABORT` (4).
    case expired
    /// Thrown when a value that is open for reading is written. The code is `SQLITE_READONLY` (8).
    case openForReading
    /// Thrown for bytes that are outside the value, which has `size` bytes.
    case outOfRange(offset: Int, count: Int, size: Int)
    /// Thrown when a sequence ends before the value is full.
    case incomplete(written: Int, size: Int)
}

extension BlobProblem {
    public var code: ResultCode {
        switch self {
        case .expired: .abort
        case .openForReading, .tableOfSQLite, .shadowTable: .readOnly
        default: .error
        }
    }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        let (table, column, row) = (subject.tableName, subject.columnName, subject.rowName)
        return switch self {
        case .unknownTable: "no such table: \(subject.databaseName).\(table)"
        case .unknownColumn: "no such column in \(table): \(column)"
        case .unknownRow: "no row of \(table) has the rowid \(row)"
        case .view: "a value of a view cannot be opened: \(table)"
        case .virtualTable: "a value of a virtual table cannot be opened: \(table)"
        case .withoutRowID: "a value of a table without rowids cannot be opened: \(table)"
        case .generatedColumns: "a value of a table with generated columns cannot be opened: \(table)"
        case .indexedColumn: "\(column) of \(table) cannot be opened for writing: the column has an index"
        case .derivedIndex:
            """
            \(column) of \(table) cannot be opened for writing: triggers keep a search table or an R*Tree in step with it; use UPDATE
            """
        case .foreignKeyColumn: "\(column) of \(table) cannot be opened for writing: the column is a foreign key"
        case .tableOfSQLite: "\(table) cannot be opened for writing: it is a table of SQLite itself"
        case .shadowTable: "\(table) cannot be opened for writing: a virtual table keeps its data in it"
        case .null: "\(column) of \(table) is NULL in row \(row): only BLOB and TEXT can be opened"
        case .number: "\(column) of \(table) is a number in row \(row): only BLOB and TEXT can be opened"
        case .expired:
            "\(column) of \(table) has been closed: row \(row) was changed or deleted, or moving to it has failed"
        case .openForReading: "\(column) of \(table) is open for reading only"
        case .outOfRange(let offset, let count, let size):
            "\(column) of \(table) has \(size) bytes: \(count) bytes at \(offset) are outside of it"
        case .incomplete(let written, let size):
            "the sequence has ended after \(written) of \(size) bytes of \(column) of \(table)"
        }
    }
}
