import SquallSQLite

/// A virtual table whose rows SQL can insert, update and delete.
///
/// ``TableSource/rowID(of:)`` must return rowids. SQLite calls ``begin()`` before the first change of a transaction, and then either
/// ``sync()`` and ``commit()``, or ``rollBack()``. A statement that can fail after a change is also a savepoint.
///
/// The functions of transactions and savepoints cannot use the connection: every call throws. The others can.
public protocol WritableTableSource: TableSource {
    /// Inserts a row.
    ///
    /// - Returns: The rowid of the new row: ``WrittenRow/rowID``, or one that the table chooses where this is `nil`.
    /// - Throws: An error of the code `SQLITE_CONSTRAINT` (19) for a row that the table does not accept. SQLite then does what the
    ///   statement says for conflicts (`INSERT OR IGNORE`).
    func insert(_ row: borrowing WrittenRow) throws -> Int64

    /// Updates the row with a rowid, which may change to ``WrittenRow/rowID``. Columns that the statement does not set have their old
    /// values.
    ///
    /// - Throws: As ``insert(_:)``.
    func update(_ rowID: Int64, _ row: borrowing WrittenRow) throws

    /// Deletes the row with a rowid.
    func delete(_ rowID: Int64) throws

    /// Begins a transaction.
    func begin() throws

    /// Makes the commit certain: the last function that may throw.
    func sync() throws

    /// Ends a transaction, and keeps its changes.
    func commit()

    /// Ends a transaction, and takes its changes back.
    func rollBack()

    /// Begins a savepoint, which replaces those of the same level and above. Level 0 is ``begin()``, which SQLite calls when the
    /// transaction first changes the table; the table does not see the savepoints before that.
    func savepoint(_ level: Int) throws

    /// Ends the savepoints of a level and above, and keeps their changes.
    func release(_ level: Int)

    /// Takes the changes since a level back, which then still exists. If the table has not seen that level, it is the highest one
    /// below it that it has seen.
    func rollBack(to level: Int)
}

extension WritableTableSource {
    public func begin() throws {}
    public func sync() throws {}
    public func commit() {}
    public func rollBack() {}
    public func savepoint(_ level: Int) throws {}
    public func release(_ level: Int) {}
    public func rollBack(to level: Int) {}
}

/// A row that SQL inserts into a virtual table, or to which it updates one. It is valid only during the call.
public struct WrittenRow: ~Copyable {
    /// The way a statement treats a row that violates a constraint.
    public enum Conflict: Hashable, Sendable {
        case abort, rollback, fail, ignore, replace
    }

    /// The rowid that the row is given; `nil` where the table chooses it.
    public let rowID: Int64?
    /// The number of columns, without parameters.
    public let count: Int
    private let handle: OpaquePointer?
    private let values: UnsafeMutablePointer<OpaquePointer?>
    private let columns: ColumnList
    private let table: String

    init(
        handle: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>, columns: ColumnList, table: String
    ) {
        self.handle = handle
        self.values = values
        self.columns = columns
        self.table = table
        count = columns.valueCount
        rowID =
            values[1].flatMap { sqlite3_value_type($0) == SQLITE_NULL ? nil : sqlite3_value_int64($0) }
    }

    /// The way the statement treats a row that violates a constraint: `.replace` for `INSERT OR REPLACE`.
    public var conflict: Conflict {
        switch handle.map({ sqlite3_vtab_on_conflict($0) }) {
        case SQLITE_ROLLBACK: .rollback
        case SQLITE_FAIL: .fail
        case SQLITE_IGNORE: .ignore
        case SQLITE_REPLACE: .replace
        default: .abort
        }
    }

    /// Returns the value of a column, by its position from 0.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISMATCH` (20) for a value of another type, and for NULL if the type is not optional;
    ///   `SQLITE_RANGE` (25) for a position that the table does not have.
    public func get<Value: FunctionArgument>(_ column: Int, as type: Value.Type = Value.self) throws -> Value {
        do { return try Value.fromArgument(SQLiteValue(value(at: column))) } catch let error as ArgumentError {
            throw typeError(error, column)
        }
    }

    func value(at column: Int) throws -> OpaquePointer {
        if (0..<count).contains(column), let value = values[2 + column] { return value }
        throw missingError("\(column)")
    }

    private func missingError(_ column: String) -> SQLiteError {
        SQLiteError(code: SQLITE_RANGE, message: "\(table) has no column \(column)")
    }

    /// Returns the error of a value that is not a `type`.
    func typeError<T: ColumnReadable>(_ value: OpaquePointer, _ column: Int, _ type: T.Type) -> SQLiteError {
        typeError(SQLiteValue(value).argumentError(expecting: type), column)
    }

    private func typeError(_ error: ArgumentError, _ column: Int) -> SQLiteError {
        SQLiteError(code: SQLITE_MISMATCH, message: "\(table), \(columns.names[column]): \(error.reason)")
    }

    /// Returns the value of a column.
    ///
    /// - Throws: As ``get(_:as:)-(Int,_)``.
    public func get<Value: FunctionArgument>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let index = columns.index(of: column) else { throw missingError(column) }
        return try get(index, as: type)
    }
}
