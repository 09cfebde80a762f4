import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the columns of a row in order.
@usableFromInline
struct ColumnReader {
    /// The statement of the row; `nil` for a detached row, and for columns in another order.
    @usableFromInline let statement: OpaquePointer?
    // `unowned(unsafe)`: the caller that makes a reader extends the lifetime of both beyond the cursor's last use. Counting
    // references is part of the time that `next` states.
    @usableFromInline unowned(unsafe) let storage: Row.Storage
    @usableFromInline unowned(unsafe) var layout: RecordLayout
    /// The next column of the row.
    @usableFromInline var index: Int32 = 0
    /// The first column of the record in the row.
    @usableFromInline var base: Int32 = 0
    /// The column of the row for each column of the table, where they are in another order; its owner outlives the reader.
    @usableFromInline var order: UnsafePointer<Int32>?
    /// The columns before this one are read from the statement by their type alone. It is the next column with a form; 0 where there is no
    /// statement. The usual reader has no other test for a column.
    @usableFromInline var plainEnd: Int32

    @inlinable
    @inline(__always)
    init(_ row: Row, layout: RecordLayout, first: Int = 0) {
        self.statement = row.storage.statement
        self.storage = row.storage
        self.layout = layout
        self.order = nil
        self.index = Int32(truncatingIfNeeded: first)
        self.base = index
        self.plainEnd = statement == nil ? 0 : index &+ layout.firstForm
    }

    /// Begins at a row whose columns are in another order than those of the table.
    init(_ row: Row, layout: RecordLayout, order: UnsafePointer<Int32>?) {
        self.statement = nil
        self.storage = row.storage
        self.layout = layout
        self.order = order
        self.plainEnd = 0
    }

    /// Reads the next column.
    ///
    /// The usual types are read here, where the compiler knows them. Reading them through the codec of the column costs some 5 ns
    /// more. A column with a form is always read through its codec: it may store another value of the same type.
    @inlinable
    @inline(__always)
    mutating func next<Value>(_ type: Value.Type) throws -> Value {
        let value: SQLiteValue
        if index < plainEnd {
            value = SQLiteValue(sqlite3_column_value(statement.unsafelyUnwrapped, index))
            index &+= 1
        } else {
            guard let plainValue = nextPlainValue() else { return try read(as: type) }
            value = plainValue
        }
        if type == Int.self, let result = Int.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == Int64.self, let result = Int64.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == String.self, let result = String.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == Double.self, let result = Double.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == Bool.self, let result = Bool.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == Data.self, let result = Data.fromSQLiteValue(value) { return unsafeBitCast(result, to: type) }
        if type == String?.self {
            if let result = String.fromSQLiteValue(value) { return unsafeBitCast(Optional(result), to: type) }
            if value.isNull { return unsafeBitCast(String?.none, to: type) }
        }
        if type == Int64?.self {
            if let result = Int64.fromSQLiteValue(value) { return unsafeBitCast(Optional(result), to: type) }
            if value.isNull { return unsafeBitCast(Int64?.none, to: type) }
        }
        if type == Int?.self {
            if let result = Int.fromSQLiteValue(value) { return unsafeBitCast(Optional(result), to: type) }
            if value.isNull { return unsafeBitCast(Int?.none, to: type) }
        }
        if type == Double?.self {
            if let result = Double.fromSQLiteValue(value) { return unsafeBitCast(Optional(result), to: type) }
            if value.isNull { return unsafeBitCast(Double?.none, to: type) }
        }
        return try read(value, as: type)
    }

    /// Advances to the next column, and returns its value; `nil` for a column with a form.
    @usableFromInline
    mutating func nextPlainValue() -> SQLiteValue? {
        let column = index - base
        index += 1
        let hasForm = layout.formsFrom[Int(column)] == column
        if statement != nil { plainEnd = base + layout.formsFrom[Int(column) + 1] }
        return hasForm ? nil : lastValue
    }

    /// The value of the column before `index`.
    private var lastValue: SQLiteValue {
        let column = index - 1
        if let statement { return SQLiteValue(sqlite3_column_value(statement, column)) }
        return Row(storage).existingValue(at: Int(order.map { $0[Int(column)] } ?? column))
    }

    /// Reads a column with a form. The column is the one before `index`.
    @usableFromInline
    func read<Value>(as type: Value.Type) throws -> Value { try read(lastValue, as: type) }

    /// Reads a column through its codec. The column is the one before `index`.
    @usableFromInline
    func read<Value>(_ value: SQLiteValue, as type: Value.Type) throws -> Value {
        let column = Int(index - base - 1)
        do throws(ArgumentError) {
            // The codecs are in the order of the types: both come from one list of columns.
            return try unsafeDowncast(layout.codecs[column] as AnyObject, to: ColumnCodec<Value>.self).read(value)
        } catch {
            throw ConversionError(
                error.reason, columnIndex: order.map { Int($0[column]) } ?? Int(index - 1),
                columnName: layout.names[column],
                tableName: layout.tableName, sql: storage.layout.sql
            )
        }
    }
}
