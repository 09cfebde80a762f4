/// Reads one field into an existing record.
@usableFromInline
struct FieldSetter<Record>: Sendable {
    @usableFromInline let set: @Sendable (inout Record, inout ColumnReader) throws -> Void
    /// The reason why the field cannot be set.
    @usableFromInline var failure: SQLiteError?

    @inlinable
    init<Value>(_ column: Column<Record, Value>) {
        let missing = column.readOnlyPropertyError
        guard let field = SettableField(column.keyPath) else {
            set = { _, _ in throw missing }
            failure = missing
            return
        }
        if let offset = field.offset {
            set = { record, columns in
                let value = try columns.next(Value.self)
                withUnsafeMutableBytes(of: &record) { bytes in
                    guard let start = bytes.baseAddress else { return }
                    start.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee = value
                }
            }
        } else {
            set = { record, columns in record[keyPath: field.keyPath] = try columns.next(Value.self) }
        }
    }
}

/// A property that can be set.
///
/// Sendable, because the key path is the same object as one that is `Sendable`, which a cast cannot express.
@usableFromInline
struct SettableField<Record, Value>: @unchecked Sendable {
    @usableFromInline let keyPath: WritableKeyPath<Record, Value>
    @usableFromInline let offset: Int?

    @inlinable
    init?(_ keyPath: any KeyPath<Record, Value> & Sendable) {
        guard let keyPath = keyPath as? WritableKeyPath<Record, Value> else { return nil }
        self.keyPath = keyPath
        self.offset = MemoryLayout<Record>.offset(of: keyPath)
    }
}

extension FieldSetter {
    /// Returns the columns of a table and the setters of their fields.
    @inlinable
    static func list<each Value>(
        _ columns: () -> (repeat Column<Record, each Value>)
    ) -> ([TableColumn<Record>], [FieldSetter]) {
        let columns = columns()
        var list: [TableColumn<Record>] = []
        var setters: [FieldSetter] = []
        repeat list.append(TableColumn(each columns))
        repeat setters.append(FieldSetter(each columns))
        return (list, setters)
    }
}

extension Column {
    @usableFromInline var readOnlyPropertyError: SQLiteError {
        SQLiteError(TableProblem.readOnlyProperty(column: name))
    }
}
