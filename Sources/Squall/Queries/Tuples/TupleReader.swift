import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the columns of a row in order, each as its own type.
@usableFromInline
struct TupleReader {
    /// The statement of the row, or `nil` for a detached row.
    @usableFromInline let statement: OpaquePointer?
    // `unowned(unsafe)`: the caller that makes a reader extends the lifetime of the row's storage beyond the last use, as for a
    // `ColumnReader`.
    @usableFromInline unowned(unsafe) let storage: Row.Storage
    /// The next column of the row.
    @usableFromInline var index: Int32 = 0

    @inlinable
    @inline(__always)
    init(_ row: Row) {
        statement = row.storage.statement
        storage = row.storage
    }

    /// Reads the next column.
    ///
    /// The usual types are compared here: a pack is read in a loop that knows its types only by their metadata.
    @inlinable
    @inline(__always)
    mutating func next<Value: FunctionArgument>(_ type: Value.Type) throws -> Value {
        let value = statement.map { SQLiteValue(sqlite3_column_value($0, index)) } ?? detachedValue(at: index)
        index &+= 1
        if type == Int.self, let result = Int.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == String.self, let result = String.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == Double.self, let result = Double.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == Int64.self, let result = Int64.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == String?.self, let result = String.fromSQLiteValue(value) {
            return unsafeBitCast(Optional(result), to: type)
        }
        if type == Int?.self, let result = Int.fromSQLiteValue(value) {
            return unsafeBitCast(Optional(result), to: type)
        }
        if type == Double?.self, let result = Double.fromSQLiteValue(value) {
            return unsafeBitCast(Optional(result), to: type)
        }
        return try read(value, as: type)
    }

    @usableFromInline
    func detachedValue(at index: Int32) -> SQLiteValue {
        // SQLite returns NULL for a column that does not exist. The columns have been counted.
        storage.detachedValue(at: Int(index)) ?? SQLiteValue(sqlite3_column_value(nil, 0))
    }

    /// Reads the column before `index` by the conformance of its type.
    @usableFromInline
    func read<Value: FunctionArgument>(_ value: SQLiteValue, as type: Value.Type) throws -> Value {
        do {
            return try Value.fromArgument(value)
        } catch {
            let (layout, column) = (storage.layout, Int(index) - 1)
            throw ConversionError(
                error.reason, columnIndex: column,
                columnName: layout.names.indices.contains(column) ? layout.names[column] : nil, tableName: nil,
                sql: layout.sql
            )
        }
    }
}
